// Reads a file of facts: YAML or JSON with rows in the shapes of the tables.
import { createHash } from 'node:crypto'
import { malformedRange, repeatedKey } from '../matrix/added-rows.ts'
import { defects } from '../matrix/defects.ts'
import { type AddedFacts, parseAddedFacts } from '../model/tables.ts'
import { rules } from '../rules/index.ts'
import { ownFile, readProfileFile } from './profiles/profile-file.ts'
import { readSource } from './source.ts'

/** The file of `--facts`. Throws an Error with the reason. */
export function readAddedFacts(typed: string, cwd: string): AddedFacts {
  const read = readProfileFile(ownFile(cwd, typed))
  if (read.kind === 'unreadable') throw new Error(`${typed}: ${read.reason}`)
  if (read.kind !== 'read')
    throw new Error(read.kind === 'folder' ? `${typed} is a folder` : `${typed}: no such file`)
  const facts = addedFactsOf(read.bytes, { name: typed, file: typed })
  if (typeof facts === 'string') throw new Error(`${typed}: ${facts}`)
  return facts
}

/** The rows, or the first fault. */
export function addedFactsOf(
  bytes: Uint8Array,
  { name, file }: Pick<AddedFacts, 'name' | 'file'>,
): AddedFacts | string {
  const { layer, findings } = readSource(bytes, name)
  const [fault] = findings
  if (!layer || fault) return fault?.message ?? 'the file has no rows'
  const rows = parseAddedFacts(layer.patch)
  if (typeof rows === 'string') return rows
  const wrong = malformedRange(layer.patch) ?? repeatedKey(layer.patch) ?? takenId(rows)
  if (wrong !== undefined) return wrong
  return { ...rows, name, file, digest: createHash('sha256').update(bytes).digest('hex') }
}

/** A defect becomes a rule: only one of the tables' own defects can be replaced. */
function takenId({ defects: added = [] }: Pick<AddedFacts, 'defects'>): string | undefined {
  const replaceable = new Set(defects.map(({ id }) => id))
  const taken = added.find(({ id }) => !replaceable.has(id) && rules.some((rule) => rule.id === id))
  return taken && `defects: ${taken.id} is the id of a rule`
}
