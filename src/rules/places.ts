// Places of a spec: its fields, two keys deep, as a rule is known to read them or not.
import { isObject } from '../model/json.ts'
import type { NodeSpec } from '../model/spec.ts'

/** `kubelet.taints`; a value that has no keys of its own is a place by itself. */
export type Place = string

/** The spec, which tells each place that is read of it. */
export function watched(spec: NodeSpec, tell: (place: Place) => void): NodeSpec {
  const groups = new Map<string, object>()
  return new Proxy(spec, {
    get: (target, name, receiver) => {
      const value: unknown = Reflect.get(target, name, receiver)
      if (typeof name === 'symbol') return value
      if (!isObject(value)) {
        tell(name)
        return value
      }
      const group = groups.get(name) ?? watchedGroup(value, (key) => tell(`${name}.${key}`))
      groups.set(name, group)
      return group
    },
  })
}

/** Whoever lists its keys reads each of them, and whether there are others. */
function watchedGroup(group: object, tell: (key: string) => void): object {
  return new Proxy(group, {
    get: (target, key, receiver): unknown => {
      if (typeof key === 'string') tell(key)
      return Reflect.get(target, key, receiver)
    },
    has: (target, key) => {
      if (typeof key === 'string') tell(key)
      return Reflect.has(target, key)
    },
    ownKeys: (target) => {
      tell(keysOfGroup)
      return Reflect.ownKeys(target)
    },
  })
}

/** No field has this name. */
const keysOfGroup = '*'

/** Where two specs say something else. */
export function placesThatDiffer(one: NodeSpec, other: NodeSpec): ReadonlySet<Place> {
  const before = placesOf(one)
  const after = placesOf(other)
  const places = new Set([...before.keys(), ...after.keys()])
  return new Set([...places].filter((place) => differ(before.get(place), after.get(place))))
}

function placesOf(spec: NodeSpec): ReadonlyMap<Place, unknown> {
  const places = new Map<Place, unknown>()
  for (const [name, value] of Object.entries(spec)) {
    places.set(name, isObject(value) ? undefined : value)
    if (!isObject(value)) continue
    places.set(`${name}.${keysOfGroup}`, Object.keys(value))
    for (const [key, inner] of Object.entries(value)) places.set(`${name}.${key}`, inner)
  }
  return places
}

/** The order of keys counts: findings may come in it. */
function differ(one: unknown, other: unknown): boolean {
  return one !== other && JSON.stringify(one) !== JSON.stringify(other)
}
