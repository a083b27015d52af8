// Checks a value against one constraint, and describes what would be valid.
import type { FieldType } from '../../model/config-rows.ts'
import type { Bound, Constraint } from '../../model/tables.ts'
import { parseDuration } from '../../go/duration.ts'
import { parseQuantity } from '../../go/quantity.ts'
import { isList, isObject, isSameJson, type Json, toText } from '../../model/json.ts'
import { turnsOff } from '../../sizing/quantities.ts'
import type { EffectiveConfig } from './effective.ts'
import { forms } from './forms.ts'

/** A clause for the message, such as `must be at least 1`; undefined where the value is valid. */
type Fault = string | undefined

/** The number itself, or a duration in nanoseconds. */
function sizeOf(value: Json | undefined): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' ? (parseDuration(value) ?? NaN) : NaN
}

/** Neither a zero value nor empty, so Go code sees the field as set. */
function isSet(value: Json | undefined, type: FieldType): boolean {
  if (isList(value)) return value.length > 0
  if (typeof value === 'string' && type.startsWith('duration'))
    return (parseDuration(value) ?? 0) > 0
  if (isEmpty(value, type)) return false
  return value !== undefined && value !== null && value !== false && value !== 0
}

/** An empty string, or a quantity of zero. */
function isEmpty(value: Json | undefined, type: FieldType): boolean {
  return (
    value === '' ||
    (type === 'quantity' && typeof value === 'string' && parseQuantity(value)?.zero === true)
  )
}

/** Unlike `isSet`, does not parse strings as amounts: `0` is not empty. */
function isNonEmpty(value: Json): boolean {
  return isList(value) ? value.length > 0 : value !== '' && value !== null
}

function isSame(value: Json | undefined, other: Json): boolean {
  const size = sizeOf(other)
  return Number.isNaN(size) ? isSameJson(value, other) : sizeOf(value) === size
}

export function faultOf(row: Constraint, value: Json, config: EffectiveConfig): Fault {
  if ('oneOf' in row)
    return row.oneOf.some((one) => isSame(value, one)) ? undefined : choice(row.oneOf)
  if ('form' in row) {
    const { fits, right } = forms[row.form]
    if (fits(value, config.version)) return undefined
    if ('ignored' in row) return `has no effect: ${row.ignored}`
    return `must be ${typeof right === 'string' ? right : right(config.version)}`
  }
  if ('never' in row)
    return isObject(value) || isSet(value, config.typeOf(row.path)) || value === false
      ? `cannot be set: ${row.never}`
      : undefined
  if ('filled' in row) return isNonEmpty(value) ? undefined : `must not be empty: ${row.filled}`
  if ('ignored' in row) return `has no effect: ${row.ignored}`
  return amongOthers(row, value, config) ?? inList(row, value) ?? inRange(row, value)
}

function choice(values: readonly Json[]): string {
  const words = values.filter((value) => value !== '').map(toText)
  return words.length === 1
    ? `must be ${words.join('')}`
    : `must be one of ${words.slice(0, 8).join(', ')}${words.length > 8 ? ', …' : ''}`
}

function amongOthers(row: Constraint, value: Json, config: EffectiveConfig): Fault {
  const type = config.typeOf(row.path)
  if ('gate' in row) {
    const free =
      row.unless === undefined
        ? !isSet(value, type) && !isObject(value)
        : isSame(value, row.unless) || isEmpty(value, type)
    return free || config.on(row.gate) ? undefined : `needs the feature gate ${row.gate}`
  }
  if ('excludes' in row) {
    const other = isNonEmpty(value)
      ? row.excludes.find((path) => isSet(config.at(path), config.typeOf(path)))
      : undefined
    return other === undefined ? undefined : `cannot be set together with ${other}`
  }
  if ('needs' in row) {
    const other = config.at(row.needs)
    const right =
      row.as === undefined ? isSet(other, config.typeOf(row.needs)) : isSame(other, row.as)
    if (right || !isSet(value, type)) return undefined
    return `needs ${row.needs}${row.as === undefined ? '' : ` to be ${toText(row.as)}`}`
  }
  if ('keysIn' in row) {
    const other = config.at(row.keysIn)
    const missing = Object.entries(isObject(value) ? value : {}).find(
      ([key, inner]) =>
        !(typeof inner === 'string' && turnsOff(inner)) &&
        !(isObject(other) && Object.hasOwn(other, key)),
    )
    return missing && `needs ${missing[0]} also in ${row.keysIn}`
  }
  return besides(row, value, config)
}

function besides(row: Constraint, value: Json, { at }: EffectiveConfig): Fault {
  const size = sizeOf(value)
  if ('below' in row)
    return size >= sizeOf(at(row.below))
      ? `must be less than ${row.below}, which is ${toText(at(row.below) ?? null)}`
      : undefined
  if ('upTo' in row)
    return size > sizeOf(at(row.upTo))
      ? `must be at most ${row.upTo}, which is ${toText(at(row.upTo) ?? null)}`
      : undefined
  if (!('beyond' in row)) return undefined
  const small = size > 0 && size <= sizeOf(at(row.beyond))
  return small
    ? `must be more than ${row.beyond}, which is ${toText(at(row.beyond) ?? null)}`
    : undefined
}

function inList(row: Constraint, value: Json): Fault {
  const list = isList(value) ? value : []
  if ('unique' in row) {
    const { unique } = row
    const counted =
      unique === true ? list : list.filter((item) => unique.some((one) => one === item))
    return new Set(counted).size < counted.length ? 'contains a duplicate' : undefined
  }
  if ('alone' in row)
    return list.length > 1 && list.includes(row.alone)
      ? `cannot combine ${row.alone} with other values`
      : undefined
  if (!('apart' in row)) return undefined
  return row.apart.every((word) => list.includes(word))
    ? `cannot have both ${row.apart.join(' and ')}`
    : undefined
}

function inRange(row: Constraint, value: Json): Fault {
  if (!('least' in row || 'most' in row || 'above' in row)) return undefined
  const size = sizeOf(value)
  const { least, most, above, or } = row
  const fine =
    (least === undefined || size >= sizeOf(least)) &&
    (most === undefined || size <= sizeOf(most)) &&
    (above === undefined || size > sizeOf(above))
  if (fine || Number.isNaN(size) || (or !== undefined && size === sizeOf(or))) return undefined
  return `must be ${rangeText(least, most, above)}${or === undefined ? '' : `, or ${or}`}`
}

function rangeText(least?: Bound, most?: Bound, above?: Bound): string {
  if (least !== undefined && most !== undefined) return `from ${least} to ${most}`
  const ends = [
    ...(above === undefined ? [] : [`more than ${above}`]),
    ...(least === undefined ? [] : [`at least ${least}`]),
    ...(most === undefined ? [] : [`at most ${most}`]),
  ]
  return ends.join(' and ')
}
