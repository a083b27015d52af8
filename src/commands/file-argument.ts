// Reads the file that a flag names; `<(command)` is a pipe.
import { resolve } from 'node:path'
import { readFile } from '../io/profiles/read-file.ts'
import { Failure } from './failure.ts'
import { withDefaultSignals } from './signals.ts'

/** Bytes; a baseline of a large fleet has far fewer. */
const limit = 64 * 1024 * 1024

/** Throws a usage failure where it cannot be read. */
export function readFileArgument(file: string): string {
  const read = withDefaultSignals(() => readFile(resolve(file), limit))
  if (read.kind !== 'read') throw new Failure('usage', `${file} cannot be read: ${read.reason}`)
  if (read.bytes.length > limit)
    throw new Failure('usage', `${file} cannot be read: it is larger than 64 MiB`)
  return new TextDecoder().decode(read.bytes)
}
