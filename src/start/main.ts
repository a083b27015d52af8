// Begins the program on Node: a version is printed at once, all else by the modules of `dist/program.cjs`.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Script } from 'node:vm'
import { asksForVersion, printVersion } from '../version.ts'
import { loadMain } from './modules.ts'

type Main = (argv: readonly string[], root: string) => Promise<number>

/** As the program's own. */
export const main: Main = async (argv, root) => {
  // The program answers it too, as executables begin there; here it is not even read.
  if (asksForVersion(argv)) return printVersion(argv)
  loaded ??= loadProgram(path.join(root, 'dist/program.cjs'))
  return loaded(argv, root)
}

/** Once, however often a process asks. */
let loaded: Main | undefined

/**
 * Compiled from its text each time: V8 checks no checksum of cached data, and one wrong bit of it crashes a run or
 * makes it write other bytes.
 */
function loadProgram(file: string): Main {
  const script = new Script(readFileSync(file, 'latin1'), { filename: file })
  const program = loadMain(file, script.runInThisContext(), require)
  if (!hasMain(program)) throw new Error(`${file} is not what the build has made`)
  return program.main
}

function hasMain(program: unknown): program is { readonly main: Main } {
  return typeof program === 'object' && program !== null && 'main' in program
}
