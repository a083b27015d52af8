// One Kubernetes object, as kubectl accepts it, with the location of each field.
import type { Place } from '../model/finding.ts'
import { isList, isObject, type Json, type JsonObject, textAt, valueAt } from '../model/json.ts'
import type { Path } from '../model/path.ts'

/** The location of a path in a document. */
export type PlaceOf = (path: Path, at?: 'key' | 'value') => Place

export interface Manifest {
  readonly kind: string
  /** API group without the version; empty for the core group. */
  readonly group: string
  readonly name: string
  readonly namespace: string
  readonly value: JsonObject
  readonly place: PlaceOf
}

/** The objects of a document: itself, or the items of a List, also of nested Lists. */
export function manifestsOf(document: Json, place: PlaceOf): readonly Manifest[] {
  return objectsIn(document, place, {})
}

function objectsIn(value: Json, place: PlaceOf, defaults: JsonObject): readonly Manifest[] {
  if (!isObject(value)) return []
  const object = { ...defaults, ...value }
  const kind = textAt(object, ['kind'])
  const apiVersion = textAt(object, ['apiVersion'])
  const { items } = object
  if (kind.endsWith('List') && isList(items)) {
    // The items of a PodList need no kind.
    const typed = kind === 'List' ? {} : { kind: kind.slice(0, -'List'.length), apiVersion }
    return items.flatMap((item, index) =>
      objectsIn(item, (path, at) => place(['items', index, ...path], at), typed),
    )
  }
  if (kind === '' || apiVersion === '') return []
  return [
    {
      kind,
      group: apiVersion.includes('/') ? apiVersion.replace(/\/.*$/s, '') : '',
      name: nameOf(object),
      namespace: textAt(object, ['metadata', 'namespace']),
      value: object,
      place,
    },
  ]
}

function nameOf(object: JsonObject): string {
  const name = textAt(object, ['metadata', 'name'])
  return name === '' ? textAt(object, ['metadata', 'generateName']) : name
}

/** As kubectl applies it without `--namespace`. */
export function namespaceOf({ namespace }: Manifest): string {
  return namespace === '' ? 'default' : namespace
}

/** The objects in a list, each with its index. */
export function itemsAt(
  value: Json | undefined,
  path: Path,
): readonly { readonly item: JsonObject; readonly path: Path }[] {
  const found = valueAt(value, path)
  if (!isList(found)) return []
  return found.flatMap((item, index) => (isObject(item) ? [{ item, path: [...path, index] }] : []))
}

/** As in `kubectl get`: `Deployment shop/web`. */
export function titleOf({ kind, name, namespace }: Manifest): string {
  const full = namespace === '' ? name : `${namespace}/${name}`
  return full === '' ? kind : `${kind} ${full}`
}
