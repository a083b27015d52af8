// Standard output: a text that is written at once, and how a run ends that cannot write there.
import { writeFileSync } from 'node:fs'
import { causeOf } from '../io/bundle/disk-error.ts'
import { exits } from './exit.ts'

const standardOutput = 1

/** Without the stream: to make one takes a fifth of what a version needs. */
export function writeAtOnce(text: string): void {
  try {
    writeFileSync(standardOutput, text)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    // A pipe that does not block, and is full.
    if ('code' in error && error.code === 'EAGAIN') process.stdout.write(text)
    else endWithoutOutput(error)
  }
}

export function endWithoutOutput(error: NodeJS.ErrnoException): void {
  // `winnode schema | head -1` is not an error.
  if (error.code === 'EPIPE') return
  process.stderr.write(`error: cannot write to standard output: ${causeOf(error)}\n`)
  process.exit(exits.failure.code)
}
