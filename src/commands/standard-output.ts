// Standard output: a short text that is written at once, and how a run ends that cannot write there.
import { writeFileSync } from 'node:fs'
import { causeOf } from '../io/bundle/disk-error.ts'
import { exits } from './exit.ts'

const standardOutput = 1

/** Without the stream: to make one takes a fifth of what a version needs. */
export function writeAtOnce(text: string): void {
  try {
    writeFileSync(standardOutput, text)
  } catch (error) {
    // A pipe that does not block, and is full: of a short text it takes all or nothing.
    if (codeOf(error) === 'EAGAIN') process.stdout.write(text)
    else endWithoutOutput(error)
  }
}

export function endWithoutOutput(error: unknown): void {
  // `winnode schema | head -1` is not an error.
  if (codeOf(error) === 'EPIPE') return
  if (!(error instanceof Error)) throw error
  process.stderr.write(`error: cannot write to standard output: ${causeOf(error)}\n`)
  process.exit(exits.failure.code)
}

export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
