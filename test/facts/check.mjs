// Bundles check.ts in memory and runs it: Node.js 20 reads no TypeScript by itself.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const entry = fileURLToPath(new URL('check.ts', import.meta.url))
const { outputFiles } = await build({
  entryPoints: [entry],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  absWorkingDir: path.dirname(entry),
})
const [{ contents }] = outputFiles
await import(`data:text/javascript;base64,${Buffer.from(contents).toString('base64')}`)
