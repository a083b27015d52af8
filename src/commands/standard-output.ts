// Standard output: a text that is written at once, and how a run ends that cannot write there.
import { writeSync } from 'node:fs'
import { causeOf } from '../io/bundle/disk-error.ts'
import { exits } from './exit.ts'

const standardOutput = 1

/** Without the stream: to make one takes a fifth of what a version needs. */
export function writeAtOnce(text: string): void {
  try {
    const rest = writeTo(standardOutput, text)
    if (rest.length > 0) process.stdout.write(rest)
  } catch (error) {
    endWithoutOutput(error)
  }
}

/** Gives what is left where a pipe that does not block is full; throws what the system says. */
export function writeTo(descriptor: number, content: string | Uint8Array): Uint8Array {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  let end = 0
  try {
    while (end < bytes.length) end += writeSync(descriptor, bytes, end)
  } catch (error) {
    if (codeOf(error) !== 'EAGAIN') throw error
  }
  return bytes.subarray(end)
}

export function endWithoutOutput(error: unknown): void {
  // `winnode schema | head -1` is not an error.
  if (codeOf(error) === 'EPIPE') return
  if (!(error instanceof Error)) throw error
  process.stderr.write(`error: cannot write to standard output: ${causeOf(error)}\n`)
  process.exit(exits.failure.code)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
