// The profile that the answers make: which one it extends, and what it says itself.
import { isObject, mergeJson, valueAt, type Json, type JsonObject } from '../model/json.ts'
import type { Layer } from '../model/layer.ts'
import type { Path } from '../model/path.ts'
import { remembered } from '../model/remembered.ts'
import { fieldOf } from '../profile/catalogue.ts'
import { mergeLayers } from '../profile/merge.ts'
import { isSame } from './same.ts'
import type { Base, Opening, Session } from './session.ts'

export interface Draft {
  readonly base: Base
  readonly patch: JsonObject
  /** Those of the base, and one with the patch. */
  readonly layers: readonly Layer[]
}

/** The same answers make the same draft, in whatever session they are. */
export const draftOf = remembered((session: Session): Draft => {
  const { base, patch } = written(session)
  const known = draftsOf(session.opening)
  const text = JSON.stringify([base.name, patch])
  const draft = known.get(text) ?? { base, patch, layers: [...base.layers, layerOf(patch)] }
  known.set(text, draft)
  return draft
})

const draftsOf = remembered((_: Opening) => new Map<string, Draft>())

function written(session: Session): Pick<Draft, 'base' | 'patch'> {
  const { own } = session.opening
  const base = nearestBase(session)
  const before = own ? mergeLayers([...base.layers, own]).document : base.document
  let patch: JsonObject = own?.patch ?? {}
  for (const { path, value, from } of session.answers)
    if (from === 'unset') patch = withoutAt(patch, path)
    else if (value !== undefined && !isSame(valueAt(before, path), value))
      patch = setAt(patch, path, over(valueAt(base.document, path), value))
  return { base, patch }
}

/** What the base and the answers say. */
export function saidAt({ layers }: Draft, path: Path): Json | undefined {
  return valueAt(documentOf(layers), path)
}

const documentOf = remembered((layers: readonly Layer[]) => mergeLayers(layers).document)

/** What a built-in profile is about, the most telling field first. */
const identity: readonly Path[] = [
  ['network', 'cni'],
  ['network', 'mode'],
  ['windows', 'release'],
]

/** The base that says most of what the answers say, and has the defaults where they say nothing. */
function nearestBase({ opening, answers }: Session): Base {
  const said = (path: Path) => answers.find((given) => isSame(given.path, path))?.value
  const byAnswers = identity.map((path) => ({ path, value: said(path) }))
  const byDefault = identity.map((path) => ({ path, value: fieldOf(path)?.fallback }))
  const [first] = opening.bases
  let left: readonly Base[] = opening.bases
  for (const { path, value } of [...byAnswers, ...byDefault]) {
    const fitting = left.filter((base) => isSame(saidBy(base, path), value))
    if (value !== undefined && fitting.length > 0) left = fitting
  }
  return left.at(-1) ?? first
}

function saidBy({ document }: Base, path: Path): Json | undefined {
  return valueAt(document, path) ?? fieldOf(path)?.fallback
}

function layerOf(patch: JsonObject): Layer {
  return { name: 'the answers', patch, place: () => undefined }
}

function setAt(map: JsonObject, [key, ...rest]: Path, value: Json): JsonObject {
  if (key === undefined) return isObject(value) ? mergeJson(map, value) : map
  const child = map[String(key)]
  const inner = rest.length === 0 ? value : setAt(isObject(child) ? child : {}, rest, value)
  return Object.fromEntries([...Object.entries(map).filter(([k]) => k !== key), [key, inner]])
}

/** A map that has nothing left goes too. */
function withoutAt(map: JsonObject, [key, ...rest]: Path): JsonObject {
  const child = map[String(key)]
  const inner = rest.length > 0 && isObject(child) ? withoutAt(child, rest) : {}
  const others = Object.entries(map).filter(([other]) => other !== String(key))
  const isEmptied = Object.keys(inner).length === 0
  return Object.fromEntries(isEmptied ? others : [...others, [String(key), inner]])
}

/** What to write over a value so that the result is another: null takes a key of a map away. */
function over(before: Json | undefined, after: Json): Json {
  if (!isObject(before) || !isObject(after)) return after
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
  const kept = Object.entries(after).filter(([key, value]) => !isSame(before[key], value))
  return Object.fromEntries([
    ...gone.map((key): [string, Json] => [key, null]),
    ...kept.map(([key, value]): [string, Json] => [key, over(before[key], value ?? null)]),
  ])
}
