// Holds the file of a program against the tables of its fields and constraints.
import { fieldIn, writtenFields } from '../../matrix/config-fields.ts'
import { constraintsIn } from '../../matrix/constraints.ts'
import type { Condition, Constraint } from '../../model/constraint.ts'
import { isList, valueAt } from '../../model/json.ts'
import type { Path } from '../../model/path.ts'
import type { Conflict } from '../../model/rule.ts'
import { faultOf } from './demands.ts'
import { isUnset, type Effective } from './effective.ts'
import { placesOf, type Found } from './places.ts'
import { typeFault } from './types.ts'

const named = (path: Path) =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1)

/** Where the profile says a value, or could say it. */
function pathIn({ component, placeOf }: Effective, path: Path): Path {
  return placeOf(path) ?? [component.home, 'config', ...path]
}

/** Values that have not the type of their field: the program cannot read its file. */
export function wrongTypes(file: Effective): readonly Conflict[] {
  const { component, document, version } = file
  return writtenFields(document, component.fields, version).flatMap(({ path, field }) => {
    const value = valueAt(document, path)
    if (!field || value === undefined || (value === null && !isTime(field))) return []
    const right = typeFault(value, field.type)
    if (right === undefined) return []
    const message = `${named(path)} ${JSON.stringify(value)} must be ${right}; ${component.name} ${version} would not start`
    return [{ path: pathIn(file, path), message }]
  })
}

/** A time of the Kubernetes API is asked to read a null, and does not. */
const isTime = ({ type, nullable }: { readonly type: string; readonly nullable?: true }) =>
  type === 'duration' && nullable !== true

export type Broken = 'refused' | 'ignored' | 'late'

function kindOf(row: Constraint): Broken {
  if ('ignored' in row) return 'ignored'
  return row.late === undefined ? 'refused' : 'late'
}

/** Settings that the program refuses, takes without effect, or takes and ends over them. */
export function brokenRows(file: Effective, kind: Broken): readonly Conflict[] {
  return constraintsIn(file.component.name, file.version)
    .filter((row) => kindOf(row) === kind)
    .flatMap((row) => conflictsOf(row, file))
}

function conflictsOf(row: Constraint, file: Effective): readonly Conflict[] {
  const { component, version, document } = file
  const places = placesFor(row, file)
  if (places.length === 0 || (row.when && !holds(row.when, file))) return []
  const partner = partnerOf(row)?.split('.')
  const isGiven = partner && valueAt(document, partner) !== undefined
  const other = isGiven ? file.placeOf(partner) : undefined
  const late = row.late === undefined ? 'would not start' : `would end at its start: ${row.late}`
  const end = 'ignored' in row ? '' : `; ${component.name} ${version} ${late}`
  return places.flatMap(({ path, value, at }): readonly Conflict[] => {
    const fault = faultOf(row, value, file)
    if (fault === undefined) return []
    const message = `${named(path)}${at === 'key' ? '' : ` ${JSON.stringify(value)}`} ${fault}${end}`
    // What the profile does not say follows from the other setting that the row asks of.
    const place = file.placeOf(path) ?? other ?? pathIn(file, path)
    return [{ path: place, message, see: row.see, ...(at && { at }) }]
  })
}

/** Every value that a row speaks of; of a field that is left open its default, where the row asks of another one. */
function placesFor(row: Constraint, file: Effective): readonly Found[] {
  const { component, document, version } = file
  const found = placesOf(document, row.path)
  const [one] = found
  const partner = partnerOf(row)
  if (!one && (partner === undefined || valueAt(document, partner.split('.')) === undefined))
    return []
  const field = fieldIn(component.fields, row.path.replace(/(?:\[\]|\{.*\})$/, ''), version)
  if (!field) return []
  if (/[[{]/.test(row.path)) return found
  const value = file.at(row.path)
  if (value === undefined || (one && typeFault(one.value, field.type) !== undefined)) return []
  return [{ path: row.path.split('.'), value }]
}

function partnerOf(row: Constraint): string | undefined {
  if ('below' in row) return row.below
  if ('upTo' in row) return row.upTo
  if ('beyond' in row) return row.beyond
  return row.when?.path === row.path ? undefined : row.when?.path
}

function holds(condition: Condition, file: Effective): boolean {
  const { gate, on, path, is, written, has, hasOther, below } = condition
  if (gate !== undefined && file.on(gate) !== on) return false
  if (condition.dropIns === true && !file.dropIns) return false
  if (path === undefined) return true
  const value = file.at(path)
  const list = isList(value) ? value : []
  if (written === true && valueAt(file.document, path.split('.')) === undefined) return false
  return (
    (is === undefined || JSON.stringify(value) === JSON.stringify(is)) &&
    (has === undefined || has.some((word) => list.includes(word))) &&
    (hasOther === undefined || list.some((word) => word !== hasOther)) &&
    (below === undefined || (typeof value === 'number' && value < below))
  )
}

/** A zero of the profile where the program puts its default. */
export function replacedZeros(file: Effective): readonly Conflict[] {
  const { component, document, version } = file
  return writtenFields(document, component.fields, version).flatMap(({ key, path, field }) => {
    const value = valueAt(document, path)
    if (!field || value === undefined || value === null) return []
    if (field.type === 'object' || key.includes('[]')) return []
    if (typeFault(value, field.type) !== undefined) return []
    const { type } = field
    if (!isUnset(value, field) || isUnset(field.default, { type })) return []
    const place = file.placeOf(path)
    const become = JSON.stringify(field.default)
    const message = `${named(path)} ${JSON.stringify(value)} is nothing to ${component.name}, and becomes ${become}`
    return place ? [{ path: place, message }] : []
  })
}
