// Preloaded into every test file: tsx, which takes the types out. Each file imports most of src, so what it makes of them
// is kept, in the folder for temporary files that .taprc names: a thread that has started before this reads it.
import processOnSpawn from 'process-on-spawn'
import 'tsx'

delete process.env.TMPDIR
// Processes that tests start keep nothing.
process.env.TSX_DISABLE_CACHE = '1'
// Nor do they load what tap measures coverage with: each Node.js of them would take three times as long to start.
// @tapjs/processinfo 3.1.12: dist/esm/register-env.js
processOnSpawn.removeAllListeners()
delete process.env.NODE_OPTIONS
