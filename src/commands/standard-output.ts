// Writes to standard output, and ends the run where that fails.
import { fstatSync, writeFileSync } from 'node:fs'
import { causeOf } from '../io/disk-error.ts'
import { exits } from './exit.ts'

const stdoutDescriptor = 1

/** Files are written directly: Node's stream takes a short write, as on a full disk, for a complete one. */
export function print(content: string | Uint8Array): void {
  if (!isFile()) {
    process.stdout.write(content)
    return
  }
  try {
    writeFileSync(stdoutDescriptor, content)
  } catch (error) {
    if (error instanceof Error) endWithoutOutput(error)
  }
}

function isFile(): boolean {
  try {
    return fstatSync(stdoutDescriptor).isFile()
  } catch {
    return false
  }
}

/** Must run before oclif is loaded: its listener throws. */
export function handleOutputErrors(): void {
  process.stdout.on('error', endWithoutOutput)
  // stderr is closed: there is nowhere to report it.
  process.stderr.on('error', () => undefined)
}

function endWithoutOutput(error: Error): void {
  // `winnode schema | head -1` is not an error.
  if ('code' in error && error.code === 'EPIPE') return
  process.stderr.write(`error: cannot write to standard output: ${causeOf(error)}\n`)
  process.exit(exits.failure.code)
}
