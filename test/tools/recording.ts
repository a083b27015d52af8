// Records which keys of a template's view are read, so that a test finds unused ones.
import type { View } from '../../src/model/plan.ts'

export interface Recording {
  /** Render this instead of the original view. */
  readonly view: View
  /** Keys not read so far, such as `port`, or `mirrors[].url` for the items of a list. */
  readonly unread: () => readonly string[]
}

export function recordReads(view: View): Recording {
  const unread = new Set<string>()
  const watched: View = Object.fromEntries(
    Object.entries(view).map(([key, value]) => [
      key,
      typeof value === 'object' ? value.map((item) => watch(item, `${key}[].`, unread)) : value,
    ]),
  )
  return { view: watch(watched, '', unread), unread: () => [...unread] }
}

function watch<T extends object>(target: T, prefix: string, unread: Set<string>): T {
  for (const key of Object.keys(target)) unread.add(prefix + key)
  return new Proxy(target, {
    get: (object, key, receiver): unknown => {
      unread.delete(prefix + String(key))
      return Reflect.get(object, key, receiver)
    },
  })
}
