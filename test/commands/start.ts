// Starts the built program as a process, and returns its exit code and output.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { program } from '../tools/run.ts'

export interface Ended {
  /** `null` where a signal ended it. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Started {
  readonly kill: (signal: NodeJS.Signals) => void
  readonly ended: Promise<Ended>
}

export function start(
  argv: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): Started {
  const [command, ...words] = program
  const child = spawn(command, [...words, ...argv], {
    cwd,
    env: { ...process.env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text))
  const ended = once(child, 'close').then((): Ended => {
    return { code: child.exitCode, signal: child.signalCode, ...texts }
  })
  return { kill: (signal) => child.kill(signal), ended }
}
