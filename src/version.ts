// What `--version` prints, apart from all that it does not need.
import origin from '#origin'
import { exits } from './commands/exit.ts'
import { globalFlags } from './commands/router.ts'
import { print } from './commands/standard-output.ts'

const words = ['--version', '-v', 'version']

export function asksForVersion(argv: readonly string[]): boolean {
  return words.includes(argv.find((word) => !globalFlags.has(word)) ?? '')
}

/** Gives the exit code. */
export function printVersion(argv: readonly string[]): number {
  const { name, version, commit, tables } = origin
  const { platform, arch, versions } = process
  // Bun calls itself a Node, too.
  const runtime = versions['bun'] === undefined ? 'node' : 'bun'
  const ran = versions[runtime] ?? ''
  const { code } = exits.done
  if (argv.includes('--json')) {
    const told = { version, platform, arch, runtime: { name: runtime, version: ran } }
    const report = { ok: true, exit: code, ...told, commit, tables }
    print(`${JSON.stringify(report, null, 2)}\n`)
  } else print(`${name}/${version} ${platform}-${arch} ${runtime}-v${ran}\n`)
  return code
}
