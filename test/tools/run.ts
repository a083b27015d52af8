// Runs a command line, in this process or in one of its own, and gives what it did.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '#manifest'
import pjson from '../../package.json' with { type: 'json' }
import type { Cli } from '../../src/commands/cli.ts'
import { commands } from '../../src/commands/index.ts'
import { run } from '../../src/commands/run.ts'

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export const root = fileURLToPath(new URL('../..', import.meta.url))
const { name, version, description } = pjson
export const winnode: Cli = { root, name, version, description, commands, manifest }

/** Takes milliseconds, and counts for coverage. */
export async function inProcess(argv: readonly string[], cli: Cli = winnode): Promise<Outcome> {
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

interface Spawning {
  readonly program?: string
  readonly cwd?: string
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
}

/** The built program as a person runs it; for streams, exit codes and what is on disk. */
export function spawned(argv: readonly string[], spawning: Spawning = {}): Outcome {
  const { program = path.join(root, 'bin/run.cjs'), cwd, input = '', env = {} } = spawning
  return shell('exec "$0" "$@"', [process.execPath, program, ...argv], { cwd, input, env })
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
