// Lets V8 compile the program ahead, for a Node that does not keep what it compiled.
import { spawnSync } from 'node:child_process'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const recorder = fileURLToPath(new URL('record.cjs', import.meta.url))

/** V8 compiles a function when it is first called, so the program of `dist` has to run. */
export function compileAhead() {
  if (module.enableCompileCache) return
  const env = { ...process.env }
  // Compiled code fits only the options that it was compiled under.
  delete env.NODE_OPTIONS
  const { status, stderr } = spawnSync(process.execPath, [recorder], { encoding: 'utf8', env })
  if (status !== 0) throw new Error(`the program that was built does not run\n${stderr}`)
}
