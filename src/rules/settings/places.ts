// Places in a document that a selector of a constraint stands for.
import { isList, isObject, type Json, type JsonObject } from '../../model/json.ts'
import type { Path } from '../../model/path.ts'

export interface Found {
  readonly path: Path
  readonly value: Json
  readonly at?: 'key'
}

/** `a.b`, `list[].a`, `map{}` and `map{key}`. */
export function placesOf(document: JsonObject, selector: string): readonly Found[] {
  const words = selector.match(/[^.[\]{}]+|\[\]|\{(?:key)?\}/g) ?? []
  return words.reduce<readonly Found[]>(
    (found, word) => found.flatMap((one) => stepInto(one, word)),
    [{ path: [], value: document }],
  )
}

function stepInto({ path, value }: Found, word: string): readonly Found[] {
  if (word === '[]')
    return isList(value) ? value.map((item, at) => ({ path: [...path, at], value: item })) : []
  if (!isObject(value)) return []
  if (word === '{}' || word === '{key}')
    return Object.entries(value).flatMap(([key, inner]): readonly Found[] => {
      if (inner === undefined) return []
      const here = [...path, key]
      return [word === '{}' ? { path: here, value: inner } : { path: here, value: key, at: 'key' }]
    })
  const inner = Object.hasOwn(value, word) ? value[word] : undefined
  return inner === undefined ? [] : [{ path: [...path, word], value: inner }]
}
