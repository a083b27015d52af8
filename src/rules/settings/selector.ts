// Selects the values of a document that a constraint applies to.
import { isList, isObject, type Json, type JsonObject, ownOf } from '../../model/json.ts'
import type { Path } from '../../model/path.ts'

export interface Selected {
  readonly path: Path
  readonly value: Json
  readonly at?: 'key'
}

/** Selectors are `a.b`, `list[].a`, `map{}` (each value) and `map{key}` (each key). */
export function selectValues(document: JsonObject, selector: string): readonly Selected[] {
  const words = selector.match(/[^.[\]{}]+|\[\]|\{(?:key)?\}/g) ?? []
  return words.reduce<readonly Selected[]>(
    (found, word) => found.flatMap((one) => stepInto(one, word)),
    [{ path: [], value: document }],
  )
}

function stepInto({ path, value }: Selected, word: string): readonly Selected[] {
  if (word === '[]')
    return isList(value) ? value.map((item, at) => ({ path: [...path, at], value: item })) : []
  if (!isObject(value)) return []
  if (word === '{}' || word === '{key}')
    return Object.entries(value).flatMap(([key, inner]): readonly Selected[] => {
      if (inner === undefined) return []
      const here = [...path, key]
      return [word === '{}' ? { path: here, value: inner } : { path: here, value: key, at: 'key' }]
    })
  const inner = ownOf(value, word)
  return inner === undefined ? [] : [{ path: [...path, word], value: inner }]
}
