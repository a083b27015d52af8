// The program: a command line in, an exit code out.
import manifest from '#manifest'
import pjson from '../package.json' with { type: 'json' }
import { commands } from './commands/index.ts'

const versionWords = ['--version', '-v', 'version']

/** `root` is the folder of package.json, with `profiles/` and `dist/` beside it. */
export async function main(argv: readonly string[], root: string): Promise<number> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe)
  if (versionWords.includes(argv[0] ?? '')) return printVersion()

  // Loaded on demand: the framework costs more than all that a version needs.
  const { run } = await import('./commands/run.ts')
  const { name, version, description } = pjson
  return run(argv, { root, name, version, description, commands, manifest })
}

function printVersion(): number {
  const { name, version } = pjson
  const { platform, arch } = process
  process.stdout.write(`${name}/${version} ${platform}-${arch} node-${process.version}\n`)
  return 0
}

/** `winnode schema | head -1` is not an error. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
