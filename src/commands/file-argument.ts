// Reads the file that a flag names; `<(command)` is a pipe.
import { resolve } from 'node:path'
import { type FileRead, readFile, readRegularFile } from '../io/profiles/read-file.ts'
import { isDescriptor } from '../io/regular-file.ts'
import { Failure } from './failure.ts'
import { withDefaultSignals } from './signals.ts'

/** Bytes; a baseline of a large fleet has far fewer. */
const limit = 64 * 1024 * 1024

/** Throws a usage failure where it cannot be read. */
export function readFileArgument(file: string): string {
  const path = resolve(file)
  const read = isDescriptor(path)
    ? withDefaultSignals(() => readFile(path, limit))
    : readRegularFile(path, limit)
  if (read.kind !== 'read') throw new Failure('usage', `${file} cannot be read: ${reasonOf(read)}`)
  if (read.bytes.length > limit)
    throw new Failure('usage', `${file} cannot be read: it is larger than 64 MiB`)
  return new TextDecoder().decode(read.bytes)
}

function reasonOf(read: Exclude<FileRead, { readonly kind: 'read' }>): string {
  const reasons = { missing: 'no such file', folder: 'it is a folder' }
  return read.kind === 'unreadable' ? read.reason : reasons[read.kind]
}
