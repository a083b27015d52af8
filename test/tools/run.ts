// Runs a command line, in this process or in one of its own, and gives what it did.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '#manifest'
import pjson from '../../package.json' with { type: 'json' }
import type { Cli } from '../../src/commands/config.ts'
import { commands } from '../../src/commands/index.ts'
import { run } from '../../src/commands/run.ts'

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export const root = fileURLToPath(new URL('../..', import.meta.url))
const { name, version, description } = pjson

/** An executable that stands in for the program on this Node, in every command that is run. */
export const executable = process.env['WINNODE_PROGRAM']

/** What starts winnode: words to put before those of a person. */
export const program: readonly [string, ...string[]] = executable
  ? [path.resolve(root, executable)]
  : [process.execPath, path.join(root, 'bin/run.cjs')]

export const winnode: Cli = { root, name, version, description, commands, manifest }

/** Takes milliseconds, and counts for coverage. */
export async function inProcess(argv: readonly string[], cli: Cli = winnode): Promise<Outcome> {
  // No process can be given a NUL.
  const given = argv.every((word) => !word.includes('\0'))
  if (executable && cli === winnode && given) return ownProcess(argv)
  const stdout = intercept(process.stdout)
  const stderr = intercept(process.stderr)
  try {
    const code = await run(argv, cli)
    return { code, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    stdout.restore()
    stderr.restore()
  }
}

/** Beside this one, so that servers of this process answer it. */
async function ownProcess(argv: readonly string[]): Promise<Outcome> {
  const [command, ...words] = program
  const env = { ...process.env, NODE_OPTIONS: undefined }
  const child = spawn(command, [...words, ...argv], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const texts = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text))
  await once(child, 'close')
  return { code: child.exitCode, ...texts }
}

interface Spawning {
  /** In place of the program: a script of Node. */
  readonly program?: string
  readonly cwd?: string
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
}

/** The built program as a person runs it; for streams, exit codes and what is on disk. */
export function spawned(argv: readonly string[], spawning: Spawning = {}): Outcome {
  const { program: script, cwd, input = '', env = {} } = spawning
  const words = script === undefined ? program : [process.execPath, script]
  return shell('exec "$0" "$@"', [...words, ...argv], { cwd, input, env })
}

/** Without the loaders that tap puts into every Node process, which cost 100 ms each. */
export function shell(
  script: string,
  argv: readonly string[],
  options: {
    cwd?: string | undefined
    input?: string
    env?: Readonly<Record<string, string>>
  } = {},
): Outcome {
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', `unset NODE_OPTIONS; ${script}`, ...argv],
    {
      cwd: options.cwd,
      input: options.input ?? '',
      env: { ...process.env, NODE_EXTRA_CA_CERTS: '', ...options.env },
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    },
  )
  return { code: status, stdout, stderr }
}

function intercept(stream: NodeJS.WriteStream): { text: () => string; restore: () => void } {
  const original = stream.write.bind(stream)
  const chunks: Buffer[] = []
  stream.write = (chunk: string | Uint8Array) => chunks.push(Buffer.from(chunk)) > 0
  return {
    text: () => Buffer.concat(chunks).toString(),
    restore: () => {
      stream.write = original
    },
  }
}
