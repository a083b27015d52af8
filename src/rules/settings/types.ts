// Checks values against the types of their fields, as the programs decode them.
// https://github.com/kubernetes-sigs/json
import type { FieldType } from '../../model/config-rows.ts'
import { parseDuration } from '../../go/duration.ts'
import { parseQuantity } from '../../go/quantity.ts'
import { isList, isObject, type Json, ownOf } from '../../model/json.ts'

type Simple = Exclude<
  FieldType,
  | 'list of int32'
  | 'list of string'
  | 'list of objects'
  | 'object'
  | 'map of resource name to quantity'
  | 'map of string to []string'
  | 'map of string to bool'
  | 'map of string to string'
>

interface Kind {
  readonly fits: (value: Json) => boolean
  readonly right: string
}

const isText = (value: Json): value is string => typeof value === 'string'

function whole(least: number, most: number): Kind {
  return {
    fits: (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
    right: `a whole number from ${least} to ${most}`,
  }
}

const nanoseconds: Kind = {
  fits: (value) => Number.isSafeInteger(value),
  right: 'a whole number of nanoseconds, such as 5000000000',
}
const duration: Kind = {
  fits: (value) => isText(value) && parseDuration(value) !== undefined,
  right: 'a duration such as 1m30s',
}
const float: Kind = { fits: (value) => typeof value === 'number', right: 'a number' }

const kinds: Readonly<Record<Simple, Kind>> = {
  bool: { fits: (value) => typeof value === 'boolean', right: 'true or false, without quotes' },
  string: { fits: isText, right: 'a string' },
  int32: whole(-(2 ** 31), 2 ** 31 - 1),
  int64: {
    fits: (value) => Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 63,
    right: 'a whole number',
  },
  uint32: whole(0, 2 ** 32 - 1),
  float32: float,
  float64: float,
  duration,
  'integer, nanoseconds': nanoseconds,
  'duration or nanoseconds': {
    fits: (value) => nanoseconds.fits(value) || duration.fits(value),
    right: duration.right,
  },
  quantity: {
    fits: (value) =>
      (isText(value) || typeof value === 'number') &&
      parseQuantity(String(value).trim()) !== undefined,
    right: 'a quantity such as 500m or 2Gi',
  },
  time: {
    fits: (value) =>
      isText(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(value),
    right: 'a time such as 2026-01-31T12:00:00Z',
  },
}

/** Describes a valid value if this one is not valid; null is valid inside lists and maps. */
export function typeFault(value: Json, type: FieldType): string | undefined {
  if (type === 'object') return isObject(value) ? undefined : 'a map'
  if (type === 'list of objects')
    return isList(value) && value.every(isItem) ? undefined : 'a list of maps'
  const list = /^(?:list of |\[\])(.+)$/.exec(type)?.[1]
  if (list !== undefined) return listFault(value, list)
  const member = /^map of (?:string|resource name) to (.+)$/.exec(type)?.[1]
  if (member !== undefined) return mapFault(value, member)
  const kind = kindOf(type)
  return kind && !kind.fits(value) ? kind.right : undefined
}

const isItem = (value: Json) => isObject(value) || value === null

function kindOf(type: string): Kind | undefined {
  const all: Readonly<Record<string, Kind>> = kinds
  return ownOf(all, type)
}

function listFault(value: Json, type: string): string | undefined {
  const kind = kindOf(type)
  const fits = isList(value) && value.every((item) => item === null || kind?.fits(item) !== false)
  return fits ? undefined : `a list, each item ${kind?.right ?? ''}`
}

function mapFault(value: Json, type: string): string | undefined {
  const fits = (item: Json | undefined) =>
    item === undefined ||
    item === null ||
    (type.startsWith('[]')
      ? listFault(item, type.slice(2)) === undefined
      : kindOf(type)?.fits(item) !== false)
  const right = type.startsWith('[]') ? 'a list of strings' : (kindOf(type)?.right ?? '')
  return isObject(value) && Object.values(value).every(fits)
    ? undefined
    : `a map, each value ${right}`
}
