// Holds the settings of a profile against the tables of fields and constraints.
import { fieldIn, writtenFields } from '../../matrix/config-fields.ts'
import { constraintsIn } from '../../matrix/constraints.ts'
import type { Condition, Constraint } from '../../model/constraint.ts'
import type { Facts } from '../../model/facts.ts'
import { isList, valueAt } from '../../model/json.ts'
import type { Path } from '../../model/path.ts'
import type { Conflict } from '../../model/rule.ts'
import { effectiveOf, isUnset, type Component, type Effective } from './component.ts'
import { faultOf } from './demands.ts'
import { placesOf, type Found } from './places.ts'
import { typeFault } from './types.ts'

/** Where the profile says a field. */
function pathIn({ home, places }: Component, path: Path): Path {
  const [first = '', ...rest] = path
  const own = Object.hasOwn(places, first) ? places[first] : undefined
  return own ? [...own, ...rest] : [home, 'config', ...path]
}

const named = (path: Path) =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1)

/** Values that have not the type of their field: the program cannot read its file. */
export function wrongTypes(component: Component, { spec }: Facts): readonly Conflict[] {
  const version = component.version(spec)
  return writtenFields(component.config(spec), component.fields).flatMap(({ key, path }) => {
    const field = fieldIn(component.fields, key, version)
    const value = valueAt(component.config(spec), path)
    if (!field || value === undefined || (value === null && !isTime(field))) return []
    const right = typeFault(value, field.type)
    if (right === undefined) return []
    const message = `${named(path)} ${JSON.stringify(value)} must be ${right}; ${component.name} ${version} would not start`
    return [{ path: pathIn(component, path), message }]
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
export function brokenRows(component: Component, facts: Facts, kind: Broken): readonly Conflict[] {
  const config = effectiveOf(component, facts)
  return constraintsIn(component.name, config.version)
    .filter((row) => kindOf(row) === kind)
    .flatMap((row) => conflictsOf(row, component, config))
}

function conflictsOf(
  row: Constraint,
  component: Component,
  config: Effective,
): readonly Conflict[] {
  const { version } = config
  const places = placesFor(row, component, config)
  if (places.length === 0 || (row.when && !holds(row.when, config))) return []
  const late = row.late === undefined ? 'would not start' : `would end at its start: ${row.late}`
  const end = 'ignored' in row ? '' : `; ${component.name} ${version} ${late}`
  return places.flatMap(({ path, value, at }): readonly Conflict[] => {
    const fault = faultOf(row, value, config)
    if (fault === undefined) return []
    const key = named(path)
    const message = `${key}${at === 'key' ? '' : ` ${JSON.stringify(value)}`} ${fault}${end}`
    return [{ path: pathIn(component, path), message, see: row.see, ...(at && { at }) }]
  })
}

/** What is given; or, of rows that ask of two settings, what is taken where only the other one is given. */
function placesFor(row: Constraint, { fields }: Component, config: Effective): readonly Found[] {
  const found = placesOf(config.given, row.path)
  const [one] = found
  const partner = one ? undefined : partnerGiven(row, config)
  // Most rows are about what nobody wrote, and ask the tables nothing.
  if (!one && !partner) return []
  const field = fieldIn(fields, row.path.replace(/(?:\[\]|\{.*\})$/, ''), config.version)
  if (!field) return []
  const simple = !/[[{]/.test(row.path)
  if (!simple) return found
  const value = config.at(row.path)
  if (value === undefined) return []
  if (partner) return [{ path: partner, value }]
  const bad = one === undefined || typeFault(one.value, field.type) !== undefined
  return bad ? [] : [{ ...one, value }]
}

function partnerGiven(row: Constraint, { given }: Effective): Path | undefined {
  const path = partnerOf(row)?.split('.')
  return path && valueAt(given, path) !== undefined ? path : undefined
}

function partnerOf(row: Constraint): string | undefined {
  if ('below' in row) return row.below
  if ('upTo' in row) return row.upTo
  if ('beyond' in row) return row.beyond
  return row.when?.path === row.path ? undefined : row.when?.path
}

function holds(condition: Condition, config: Effective): boolean {
  const { gate, on, path, is, written, has, hasOther, below } = condition
  if (gate !== undefined && config.on(gate) !== on) return false
  if (condition.dropIns === true && !config.dropIns) return false
  if (path === undefined) return true
  const value = config.at(path)
  const list = isList(value) ? value : []
  if (written === true && valueAt(config.given, path.split('.')) === undefined) return false
  return (
    (is === undefined || JSON.stringify(value) === JSON.stringify(is)) &&
    (has === undefined || has.some((word) => list.includes(word))) &&
    (hasOther === undefined || list.some((word) => word !== hasOther)) &&
    (below === undefined || (typeof value === 'number' && value < below))
  )
}

/** A zero where the program puts its default. */
export function replacedZeros(component: Component, facts: Facts): readonly Conflict[] {
  const version = component.version(facts.spec)
  const config = component.config(facts.spec)
  return writtenFields(config, component.fields).flatMap(({ key, path }) => {
    const field = fieldIn(component.fields, key, version)
    const value = valueAt(config, path)
    if (!field || value === undefined || value === null || field.type === 'object') return []
    if (typeFault(value, field.type) !== undefined || key.includes('[]')) return []
    const { type } = field
    const replaced = isUnset(value, field) && !isUnset(field.default, { type })
    const become = JSON.stringify(field.default)
    const message = `${named(path)} ${JSON.stringify(value)} is nothing to ${component.name}, and becomes ${become}`
    return replaced ? [{ path: pathIn(component, path), message }] : []
  })
}
