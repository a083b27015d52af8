// Begins the program on Node: a version is printed at once, all else by the modules of `dist/program.cjs`.
import path from 'node:path'
import { asksForVersion, printVersion } from '../version.ts'
import { loadMain } from './modules.ts'
import { runScript } from './script.ts'

/** That of `dist/program.cjs`; the build puts it here. */
declare const programDigest: string

type Main = (argv: readonly string[], root: string) => Promise<number>

/** As the program's own. */
export const main: Main = async (argv, root) => {
  // The program answers it too, as executables begin there; here it is not even read.
  if (asksForVersion(argv)) return printVersion(argv)
  loaded ??= loadProgram(path.join(root, 'dist/program.cjs'), argv)
  return loaded(argv, root)
}

/** Once, however often a process asks. */
let loaded: Main | undefined

function loadProgram(file: string, argv: readonly string[]): Main {
  const program = loadMain(file, runScript(file, programDigest, argv), require)
  if (!hasMain(program)) throw new Error(`${file} is not what the build has made`)
  return program.main
}

function hasMain(program: unknown): program is { readonly main: Main } {
  return typeof program === 'object' && program !== null && 'main' in program
}
