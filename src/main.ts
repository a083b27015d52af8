// The program: a command line in, an exit code out.
import manifest from '#manifest'
import origin from '#origin'
import pjson from '../package.json' with { type: 'json' }
import { exits } from './commands/exit.ts'
import { Failure } from './commands/failure.ts'
import { globalFlags } from './commands/global-flags.ts'
import { commands } from './commands/index.ts'
import { onInterruption } from './commands/interruption.ts'
import { failureJson, failureText, jsonText } from './commands/report.ts'
import { endWithoutOutput, writeAtOnce } from './commands/standard-output.ts'
import { bare } from './present/screen.ts'

const versionWords = ['--version', '-v', 'version']

/** `root` is the folder of package.json, with `profiles/` and `dist/` beside it. */
export async function main(argv: readonly string[], root: string): Promise<number> {
  const first = argv.find((word) => !globalFlags.has(word)) ?? ''
  if (versionWords.includes(first)) return printVersion(argv.includes('--json'))
  // Before the framework hears of it, which throws.
  process.stdout.prependListener('error', endWithoutOutput)
  // Nobody is left to be told.
  process.stderr.on('error', () => undefined)
  onInterruption((ending) => {
    const failure = new Failure(ending, 'interrupted: nothing was changed')
    if (argv.includes('--json')) process.stdout.write(failureJson(failure))
    // The terminal has written `^C` where the cursor stands.
    else process.stderr.write((process.stderr.isTTY ? '\n' : '') + failureText(failure, bare))
    process.exit(exits[ending].code)
  })

  // Loaded on demand: the framework costs more than all that a version needs.
  const { run } = await import('./commands/run.ts')
  const { name, version, description } = pjson
  return run(argv, { root, name, version, description, commands, manifest })
}

function printVersion(json: boolean): number {
  const { name, version } = pjson
  const { platform, arch, versions } = process
  // Bun calls itself a Node, too.
  const runtime = versions['bun'] === undefined ? 'node' : 'bun'
  const ran = versions[runtime] ?? ''
  const { code } = exits.done
  const told = { version, platform, arch, runtime: { name: runtime, version: ran }, ...origin }
  writeAtOnce(
    json
      ? jsonText({ ok: true, exit: code, ...told })
      : `${name}/${version} ${platform}-${arch} ${runtime}-v${ran}\n`,
  )
  return code
}
