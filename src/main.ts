// The program: a command line in, an exit code out.
import origin from '#origin'
import { exits } from './commands/exit.ts'
import { globalFlags } from './commands/global-flags.ts'
import { writeAtOnce } from './commands/standard-output.ts'

const versionWords = ['--version', '-v', 'version']

/** `root` is the folder of package.json, with `profiles/` and `dist/` beside it. */
export async function main(argv: readonly string[], root: string): Promise<number> {
  const first = argv.find((word) => !globalFlags.has(word)) ?? ''
  if (versionWords.includes(first)) return printVersion(argv.includes('--json'))
  // Loaded on demand: all of it costs more than what a version needs.
  const { runProcess } = await import('./commands/process.ts')
  const { name, version, description } = origin
  return runProcess(argv, { root, name, version, description })
}

async function printVersion(json: boolean): Promise<number> {
  const { name, version, commit, tables } = origin
  const { platform, arch, versions } = process
  // Bun calls itself a Node, too.
  const runtime = versions['bun'] === undefined ? 'node' : 'bun'
  const ran = versions[runtime] ?? ''
  const { code } = exits.done
  if (json) {
    const { jsonText } = await import('./commands/report.ts')
    const told = { version, platform, arch, runtime: { name: runtime, version: ran } }
    writeAtOnce(jsonText({ ok: true, exit: code, ...told, commit, tables }))
  } else writeAtOnce(`${name}/${version} ${platform}-${arch} ${runtime}-v${ran}\n`)
  return code
}
