// Runs kubectl without a shell, within limits of time and output.
import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'
import { ClusterError } from './cluster-error.ts'

export type Env = Readonly<Record<string, string | undefined>>

export interface Limits {
  /** Milliseconds until it is killed. */
  readonly time: number
  /** Maximum size of its standard output. */
  readonly bytes: number
  /** Kills it when aborted. */
  readonly signal?: AbortSignal
}

export type Outcome =
  | {
      readonly kind: 'ended'
      readonly code: number
      readonly stdout: string
      readonly stderr: string
    }
  | { readonly kind: 'late' | 'too-long' }

/** `input` is its standard input. */
export type Kubectl = (args: readonly string[], limits: Limits, input?: string) => Promise<Outcome>

/** The kubectl in PATH; throws a `ClusterError` where there is none. */
export function kubectlOf(env: Env): Kubectl {
  const program = onPath(env)
  if (program === undefined) throw notFound()
  return (args, limits, input) => run(program, args, env, limits, input)
}

/** Skips relative folders: a program in the current folder is not trusted. */
function onPath(env: Env): string | undefined {
  const name = process.platform === 'win32' ? 'kubectl.exe' : 'kubectl'
  const [, folders = ''] = Object.entries(env).find(([key]) => /^path$/i.test(key)) ?? []
  return folders
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, name))
    .find(isProgram)
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

function notFound(): ClusterError {
  return new ClusterError('kubeconfig', 'kubectl: not found in PATH', [
    'clusters are read with kubectl 1.20 or newer (1.22 for exec plugins of client.authentication.k8s.io/v1): install it',
  ])
}

/** Bytes kept from the end of stderr: an exec plugin may write more, but the error comes last. */
const stderrLimit = 64 * 1024

function run(
  program: string,
  args: readonly string[],
  env: Env,
  { time, bytes, signal }: Limits,
  input = '',
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      // Messages are matched in English; a kuberc could change defaults of flags.
      env: { ...env, LC_ALL: 'C', KUBERC: 'off', KUBECTL_KUBERC: 'false' },
      // Without a terminal neither kubectl nor an exec plugin prompts.
      stdio: ['pipe', 'pipe', 'pipe'],
      // A process group, so that an exec plugin is killed with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    // It may end before it has read everything; its exit code and stderr have the reason.
    child.stdin.on('error', () => undefined).end(input)
    const chunks: Buffer[] = []
    let length = 0
    let stderr = ''
    const killOnExit = () => kill(child)
    // Ctrl-C does not reach another process group.
    process.once('exit', killOnExit)
    const settle = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stopLate)
      process.off('exit', killOnExit)
    }
    const stop = (kind: 'late' | 'too-long') => {
      settle()
      kill(child)
      child.stdout.destroy()
      child.stderr.destroy()
      resolve({ kind })
    }
    const timer = setTimeout(() => stop('late'), time)
    const stopLate = () => stop('late')
    signal?.addEventListener('abort', stopLate)
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length
      chunks.push(chunk)
      if (length > bytes) stop('too-long')
    })
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString()).slice(-stderrLimit)
    })
    child.on('error', (error) => {
      settle()
      reject(new ClusterError('kubeconfig', `kubectl: cannot run ${program}: ${error.message}`))
    })
    child.on('close', (code) => {
      settle()
      resolve({ kind: 'ended', code: code ?? 1, stdout: Buffer.concat(chunks).toString(), stderr })
    })
  })
}

function kill(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}
