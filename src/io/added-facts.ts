// Reads the file of --facts: YAML or JSON with rows in the shapes of the tables.
import { createHash } from 'node:crypto'
import { malformedRange } from '../matrix/added-rows.ts'
import { type AddedFacts, parseAddedFacts } from '../model/tables.ts'
import { ownFile, readProfileFile } from './profiles/profile-file.ts'
import { readSource } from './source.ts'

/** Throws an Error with the reason. */
export function readAddedFacts(typed: string, cwd: string): AddedFacts {
  const read = readProfileFile(ownFile(cwd, typed))
  if (read.kind === 'unreadable') throw new Error(`${typed}: ${read.reason}`)
  if (read.kind !== 'read')
    throw new Error(read.kind === 'folder' ? `${typed} is a folder` : `${typed}: no such file`)
  const { layer, findings } = readSource(read.bytes, typed)
  const [fault] = findings
  if (!layer || fault) throw new Error(`${typed}: ${fault?.message ?? 'the file has no rows'}`)
  const rows = parseAddedFacts(layer.patch)
  if (typeof rows === 'string') throw new Error(`${typed}: ${rows}`)
  const wrong = malformedRange(layer.patch)
  if (wrong !== undefined) throw new Error(`${typed}: ${wrong}`)
  return { ...rows, name: typed, digest: createHash('sha256').update(read.bytes).digest('hex') }
}
