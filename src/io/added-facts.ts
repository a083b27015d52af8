// Reads a file of facts: YAML or JSON with rows in the shapes of the tables.
import { checkedAfter, malformedRange, repeatedKey } from '../matrix/added-rows.ts'
import type { Place } from '../model/finding.ts'
import { defects } from '../matrix/defects.ts'
import { formatPath } from '../model/path.ts'
import { type AddedFacts, type FactsFault, parseAddedFacts } from '../model/tables.ts'
import { digestOf } from '../render/digest.ts'
import { rules } from '../rules/index.ts'
import { ownFile, readProfileFile } from './profiles/profile-file.ts'
import { readSource } from './source.ts'

/** The file of `--facts`. Throws an Error with the reason. */
export function readAddedFacts(typed: string, cwd: string): AddedFacts {
  const own = ownFile(cwd, typed)
  const read = readProfileFile(own)
  if (read.kind === 'unreadable') throw new Error(`${typed}: ${read.reason}`)
  if (read.kind !== 'read')
    throw new Error(read.kind === 'folder' ? `${typed} is a folder` : `${typed}: no such file`)
  const facts = addedFactsOf(read.bytes, { name: own.label, file: typed })
  if (typeof facts === 'string') throw new Error(facts)
  return facts
}

/** The rows, or the first fault with its file, line and column. */
export function addedFactsOf(
  bytes: Uint8Array,
  { name, file }: Pick<AddedFacts, 'name' | 'file'>,
): AddedFacts | string {
  const { layer, findings } = readSource(bytes, name)
  const [fault] = findings
  const at = (place: Place | undefined) =>
    place ? `${place.file}:${place.line}:${place.column}` : name
  if (!layer || fault) return `${at(fault?.place)}: ${fault?.message ?? 'the file has no rows'}`
  const rows = parseAddedFacts(layer.patch)
  const wrong =
    'message' in rows
      ? rows
      : (malformedRange(layer.patch) ??
        checkedAfter(latestDay(), layer.patch) ??
        repeatedKey(layer.patch) ??
        takenId(rows))
  if ('message' in rows || wrong) {
    const { path = [], message = '' } = wrong ?? {}
    return `${at(layer.place(path))}: ${[formatPath(path), message].filter(Boolean).join(': ')}`
  }
  return { ...rows, name, file, digest: digestOf(bytes) }
}

/** Where it already is tomorrow. */
function latestDay(): string {
  const hours = 14
  return new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 'YYYY-MM-DD'.length)
}

/** A defect becomes a rule: only one of the tables' own defects can be replaced. */
function takenId({ defects: added = [] }: Pick<AddedFacts, 'defects'>): FactsFault | undefined {
  const replaceable = new Set(defects.map(({ id }) => id))
  const at = added.findIndex(
    ({ id }) => !replaceable.has(id) && rules.some((rule) => rule.id === id),
  )
  return at < 0
    ? undefined
    : { path: ['defects', at, 'id'], message: `${added[at]?.id} is the id of a rule` }
}
