// Places of a spec: its fields, two keys deep, as a rule is known to read them or not.
import { isObject, type JsonObject } from '../model/json.ts'
import { remembered } from '../model/remembered.ts'
import type { NodeSpec } from '../model/spec.ts'

/** `kubelet.taints`; a value that has no keys of its own is a place by itself. */
export interface Place {
  readonly name: string
  /** Absent where the value is a place by itself. */
  readonly key?: string
}

export function textOf({ name, key }: Place): string {
  return key === undefined ? name : `${name}.${key}`
}

/** No field has this name: which keys a group has. */
const keysOfGroup = '*'

/** The spec, which tells each place that is read of it. */
export function watched(spec: NodeSpec, tell: (place: Place) => void): NodeSpec {
  const groups = new Map<string, object>()
  return new Proxy(spec, {
    get: (target, name, receiver) => {
      const value: unknown = Reflect.get(target, name, receiver)
      if (typeof name === 'symbol') return value
      if (!isObject(value)) {
        tell({ name })
        return value
      }
      const group = groups.get(name) ?? watchedGroup(value, (key) => tell({ name, key }))
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

/** What a spec says at its places; a group is one value where two specs say the same of all of it. */
export type Values = ReadonlyMap<string, Group | string>
export type Group = ReadonlyMap<string, unknown>

export function valueAt(values: Values, { name, key }: Place): unknown {
  const group = values.get(name)
  return key === undefined || typeof group === 'string' ? group : group?.get(key)
}

/** Reads one spec after another: where two of them say the same, they have the same value. */
export function comparing(): (spec: NodeSpec) => Values {
  const values = new Map<string, unknown>()
  const groups = new Map<string, Group>()
  const same = (value: unknown): unknown =>
    typeof value === 'object' ? found(values, value, () => value) : value
  const groupOf = remembered((group: JsonObject): Group =>
    found(groups, group, () => {
      const entries = Object.entries(group).map(([key, value]) => [key, same(value)] as const)
      return new Map([...entries, [keysOfGroup, same(Object.keys(group))]])
    }),
  )
  return remembered((spec: NodeSpec): Values => {
    const all = new Map<string, Group | string>()
    for (const [name, value] of Object.entries(spec))
      all.set(name, isObject(value) ? groupOf(value) : String(value))
    return all
  })
}

/** The order of keys counts: findings may come in it. */
function found<T>(known: Map<string, T>, value: unknown, make: () => T): T {
  const text = JSON.stringify(value)
  const before = known.get(text) ?? make()
  known.set(text, before)
  return before
}

/** Where two specs say something else. */
export function placesThatDiffer(one: Values, other: Values): readonly Place[] {
  return Array.from(other).flatMap(([name, now]) => {
    const before = one.get(name)
    if (before === now) return []
    if (before === undefined || typeof before === 'string' || typeof now === 'string')
      return [{ name }]
    const keys = new Set([...before.keys(), ...now.keys()])
    return Array.from(keys).flatMap((key) =>
      before.get(key) === now.get(key) ? [] : [{ name, key }],
    )
  })
}
