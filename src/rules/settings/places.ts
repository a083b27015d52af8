// Places in a document that a selector of a constraint stands for.
import { isList, isObject, type Json, type JsonObject } from '../../model/json.ts'
import type { Path } from '../../model/path.ts'

export interface Found {
  readonly path: Path
  readonly value: Json
  readonly at?: 'key'
}

/** Each selector is read once. */
const wordsOf = new Map<string, readonly string[]>()

/** `a.b`, `list[].a`, `map{}` and `map{key}`. */
export function placesOf(document: JsonObject, selector: string): readonly Found[] {
  const known = wordsOf.get(selector)
  const words = known ?? selector.match(/[^.[\]{}]+|\[\]|\{(?:key)?\}/g) ?? []
  if (!known) wordsOf.set(selector, words)
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
