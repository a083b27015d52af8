// Answers `--version` without loading the commands.
import origin from '#origin'
import { exits } from './commands/exit.ts'
import { globalFlags } from './commands/router.ts'
import { print } from './commands/standard-output.ts'

const spellings = ['--version', '-v', 'version']

export function isVersionCommand(argv: readonly string[]): boolean {
  return spellings.includes(argv.find((word) => !globalFlags.has(word)) ?? '')
}

/** Returns the exit code. */
export function printVersion(argv: readonly string[]): number {
  const { version, commit, tables } = origin
  const { platform, arch, versions } = process
  // Bun sets versions.node, too.
  const name = versions['bun'] === undefined ? 'node' : 'bun'
  const runtime = { name, version: versions[name] ?? '' }
  const { code } = exits.done
  if (argv.includes('--json')) {
    const report = { ok: true, exit: code, version, platform, arch, runtime, commit, tables }
    print(`${JSON.stringify(report, null, 2)}\n`)
  } else print(`${origin.name}/${version} ${platform}-${arch} ${name}-v${runtime.version}\n`)
  return code
}
