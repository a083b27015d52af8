// Runs winnode, in this process or in a child process, and returns its exit code and output.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
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

/** A packaged executable to test instead of the program on Node.js. */
export const executable = process.env['WINNODE_PROGRAM']

/** The command that starts winnode; arguments are appended. */
export const program: readonly [string, ...string[]] = executable
  ? [path.resolve(root, executable)]
  : [process.execPath, path.join(root, 'bin/run.cjs')]

export const winnode: Cli = { root, name, version, description, commands, manifest }

/** Runs winnode in this process, which is fast and measured by coverage. */
export async function inProcess(argv: readonly string[], cli: Cli = winnode): Promise<Outcome> {
  // Arguments of a process cannot contain NUL.
  const isPassable = argv.every((word) => !word.includes('\0'))
  if (executable && cli === winnode && isPassable) return childProcess(argv)
  await flushed(process.stdout)
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

/** Asynchronous, so that servers in this process can answer the program. */
async function childProcess(argv: readonly string[]): Promise<Outcome> {
  const [command, ...words] = program
  const child = spawn(command, [...words, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] })
  const texts = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text))
  await once(child, 'close')
  return { code: child.exitCode, ...texts }
}

interface Spawning {
  /** A script for Node.js to run instead of winnode. */
  readonly program?: string
  readonly cwd?: string
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs the built program as a user does, for tests of streams, exit codes and written files. */
export function spawned(argv: readonly string[], spawning: Spawning = {}): Outcome {
  const { program: script, cwd, input = '', env = {} } = spawning
  const words = script === undefined ? program : [process.execPath, script]
  return shell('exec "$0" "$@"', [...words, ...argv], { cwd, input, env })
}

/** Runs a shell script. */
export function shell(
  script: string,
  argv: readonly string[],
  options: {
    cwd?: string | undefined
    input?: string
    env?: Readonly<Record<string, string>>
  } = {},
): Outcome {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script, ...argv], {
    cwd: options.cwd,
    input: options.input ?? '',
    env: { ...process.env, ...options.env },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  return { code: status, stdout, stderr }
}

/** Waits until tap has written what it holds back while a pipe is full: the stream would take it for output of winnode. */
async function flushed(stream: NodeJS.WriteStream): Promise<void> {
  while (stream.writableLength > 0) await setImmediate()
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
