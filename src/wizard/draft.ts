// The draft: the profile that the answers make, as a base and a patch.
import { isObject, mergeJson, valueAt, type Json, type JsonObject } from '../model/json.ts'
import type { Layer } from '../model/layer.ts'
import type { Path } from '../model/path.ts'
import { memo } from '../model/memo.ts'
import { fieldOf } from '../profile/catalogue.ts'
import { mergeLayers } from '../profile/merge.ts'
import { isEqual } from './equal.ts'
import type { Base, SessionContext, Session } from './session.ts'

export interface Draft {
  readonly base: Base
  readonly patch: JsonObject
  /** The layers of the base, and one with the patch. */
  readonly layers: readonly Layer[]
}

/** Equal drafts are one object, whatever the session, so that results can be memoized by draft. */
export const draftOf = memo((session: Session): Draft => {
  const { base, patch } = basePatch(session)
  const { own, above = [] } = session.context
  const known = draftsOf(session.context)
  const key = JSON.stringify([base.name, patch])
  const draft = known.get(key) ?? {
    base,
    patch,
    layers: [...base.layers, layerOf(patch, own), ...above],
  }
  known.set(key, draft)
  return draft
})

const draftsOf = memo((_: SessionContext) => new Map<string, Draft>())

function basePatch(session: Session): Pick<Draft, 'base' | 'patch'> {
  const { own } = session.context
  const base = nearestBase(session)
  const before = own ? mergeLayers([...base.layers, own]).document : base.document
  let patch: JsonObject = own?.patch ?? {}
  for (const { path, value, from, isKept } of session.answers)
    if (from === 'unset') patch = withoutAt(patch, path)
    else if (value !== undefined && (isKept || !isEqual(valueAt(before, path), value)))
      patch = setAt(patch, path, isKept ? value : mergePatch(valueAt(base.document, path), value))
  return { base, patch }
}

/** The value that the base or the answers set. */
export function draftValue({ layers }: Draft, path: Path): Json | undefined {
  return valueAt(documentOf(layers), path)
}

const documentOf = memo((layers: readonly Layer[]) => mergeLayers(layers).document)

/** The fields that distinguish built-in profiles, most significant first. */
const identity: readonly Path[] = [
  ['network', 'cni'],
  // Before the mode: profiles of a release have further settings, such as the update revision.
  ['windows', 'release'],
  ['network', 'mode'],
  ['network', 'backend'],
]

/** The base that agrees with most answers, and has the defaults of the other fields. */
function nearestBase({ context, answers }: Session): Base {
  const answerAt = (path: Path) => answers.find((given) => isEqual(given.path, path))?.value
  const byAnswers = identity
    .map((path) => ({ path, value: answerAt(path) }))
    .filter(({ value }) => value !== undefined)
  const byDefault = identity.map((path) => ({ path, value: fieldOf(path)?.fallback }))
  const [first] = context.bases
  let left: readonly Base[] = context.bases
  for (const { path, value } of [...byAnswers, ...byDefault]) {
    const fitting = left.filter((base) => isEqual(baseValue(base, path), value))
    if (fitting.length > 0) left = fitting
  }
  return left.at(-1) ?? first
}

function baseValue({ document }: Base, path: Path): Json | undefined {
  return valueAt(document, path) ?? fieldOf(path)?.fallback
}

/** A value that no answer has changed is in the edited file. */
function layerOf(patch: JsonObject, own: Layer | undefined): Layer {
  const isOwn = (path: Path) => isEqual(valueAt(own?.patch, path), valueAt(patch, path))
  return {
    name: 'the answers',
    patch,
    place: (path, at) => (isOwn(path) ? own?.place(path, at) : undefined),
  }
}

function setAt(map: JsonObject, [key, ...rest]: Path, value: Json): JsonObject {
  if (key === undefined) return isObject(value) ? mergeJson(map, value) : map
  const child = map[String(key)]
  const inner = rest.length === 0 ? value : setAt(isObject(child) ? child : {}, rest, value)
  return Object.fromEntries([...Object.entries(map).filter(([k]) => k !== key), [key, inner]])
}

/** Removes a map that becomes empty too. */
function withoutAt(map: JsonObject, [key, ...rest]: Path): JsonObject {
  const child = map[String(key)]
  const inner = rest.length > 0 && isObject(child) ? withoutAt(child, rest) : {}
  const others = Object.entries(map).filter(([other]) => other !== String(key))
  const isEmptied = Object.keys(inner).length === 0
  return Object.fromEntries(isEmptied ? others : [...others, [String(key), inner]])
}

/** JSON Merge Patch (RFC 7396) from `before` to `after`. */
function mergePatch(before: Json | undefined, after: Json): Json {
  if (!isObject(before) || !isObject(after)) return after
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
  const kept = Object.entries(after).filter(([key, value]) => !isEqual(before[key], value))
  return Object.fromEntries([
    ...gone.map((key): [string, Json] => [key, null]),
    ...kept.map(([key, value]): [string, Json] => [key, mergePatch(before[key], value ?? null)]),
  ])
}
