// The program: a command line in, an exit code out.
import origin from '#origin'
import { handleOutputErrors } from './commands/standard-output.ts'
import { asksForVersion, printVersion } from './version.ts'

/** `root` is the folder of package.json, with `profiles/` and `dist/` beside it. */
export async function main(argv: readonly string[], root: string): Promise<number> {
  handleOutputErrors()
  if (asksForVersion(argv)) return printVersion(argv)
  // On demand: `--version` needs none of it.
  const { runProcess } = await import('./commands/process.ts')
  const { name, version, description } = origin
  return runProcess(argv, { root, name, version, description })
}
