// Standard output and error: how a run ends that cannot write to them.
import { fstatSync, writeFileSync } from 'node:fs'
import { causeOf } from '../io/disk-error.ts'
import { exits } from './exit.ts'

const descriptor = 1

/** Node's stream takes a short write to a file, as on a full disk, for a complete one. */
export function print(content: string | Uint8Array): void {
  if (!isFile()) {
    process.stdout.write(content)
    return
  }
  try {
    writeFileSync(descriptor, content)
  } catch (error) {
    if (error instanceof Error) endWithoutOutput(error)
  }
}

function isFile(): boolean {
  try {
    return fstatSync(descriptor).isFile()
  } catch {
    return false
  }
}

/** Before oclif is loaded, whose own listener throws. */
export function handleOutputErrors(): void {
  process.stdout.on('error', endWithoutOutput)
  // There is nowhere to report it.
  process.stderr.on('error', () => undefined)
}

function endWithoutOutput(error: Error): void {
  // `winnode schema | head -1` is not an error.
  if ('code' in error && error.code === 'EPIPE') return
  process.stderr.write(`error: cannot write to standard output: ${causeOf(error)}\n`)
  process.exit(exits.failure.code)
}
