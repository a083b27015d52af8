// Records which leaf properties of an object are read.
import { isObject } from './json.ts'
import type { Path } from './path.ts'

interface RecordedReads<T> {
  readonly value: T
  readonly reads: () => readonly Path[]
}

export function recordReads<T extends object>(value: T): RecordedReads<T> {
  const reads: Path[] = []
  const wrap = <V extends object>(target: V, path: Path): V =>
    new Proxy(target, {
      get(object, key, receiver) {
        const inner: unknown = Reflect.get(object, key, receiver)
        if (typeof key === 'symbol' || typeof inner === 'function') return inner
        const at = [...path, key]
        // A list is one leaf, because layers replace lists as a whole.
        if (isObject(inner)) return wrap(inner, at)
        reads.push(at)
        return inner
      },
    })
  return { value: wrap(value, []), reads: () => reads }
}
