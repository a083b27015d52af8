// Run-program: one run of a program without standard input, within a time limit.
import { spawn, type ChildProcess } from 'node:child_process'

export interface Running {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Milliseconds. */
  readonly limit: number
  readonly signal: AbortSignal
}

export type Outcome =
  | {
      readonly kind: 'ended'
      readonly code: number
      readonly said: string
      readonly stdout: string
    }
  | { readonly kind: 'absent' | 'late' | 'stopped' | 'too-long' }

const longest = 1024 * 1024

/** What it writes to standard error goes nowhere. */
export function run(command: string, args: readonly string[], running: Running): Promise<Outcome> {
  const { env, limit, signal } = running
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      // A group of its own, so that what it started ends with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    const chunks: Buffer[] = []
    let length = 0
    const orphaned = () => {
      kill(child)
    }
    // A person who leaves does not stop a group of its own.
    process.once('exit', orphaned)
    const end = (outcome: Outcome) => {
      clearTimeout(timer)
      process.off('exit', orphaned)
      signal.removeEventListener('abort', stop)
      if (outcome.kind !== 'ended') kill(child)
      child.stdout.destroy()
      resolve(outcome)
    }
    const stop = () => end({ kind: 'stopped' })
    const timer = setTimeout(() => end({ kind: 'late' }), limit)
    signal.addEventListener('abort', stop)
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length
      chunks.push(chunk)
      if (length > longest) end({ kind: 'too-long' })
    })
    child.on('error', () => end({ kind: 'absent' }))
    child.on('close', (code, killed) => {
      const said = killed === null ? `exit code ${code ?? 'unknown'}` : `signal ${killed}`
      end({ kind: 'ended', code: code ?? 1, said, stdout: Buffer.concat(chunks).toString() })
    })
  })
}

function kill(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has just ended by itself.
  }
}
