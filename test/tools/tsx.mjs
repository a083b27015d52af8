// Preloaded into every test file: tsx, which takes the types out. Each file imports most of src, so what it makes of them
// is kept, in the folder for temporary files that .taprc names: a thread that has started before this reads it.
import 'tsx'

delete process.env.TMPDIR
// Processes that tests start keep nothing.
process.env.TSX_DISABLE_CACHE = '1'
