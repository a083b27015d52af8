// The entry point of the program.
import origin from '#origin'
import { handleOutputErrors } from './commands/standard-output.ts'
import { isVersionCommand, printVersion } from './version.ts'

/** Returns the exit code. `root` is the folder of package.json, with `profiles/` and `dist/` in it. */
export async function main(argv: readonly string[], root: string): Promise<number> {
  handleOutputErrors()
  if (isVersionCommand(argv)) return printVersion(argv)
  // Loaded on demand, so that `--version` stays fast.
  const { runProcess } = await import('./commands/process.ts')
  const { name, version, description } = origin
  return runProcess(argv, { root, name, version, description })
}
