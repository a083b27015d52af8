// Maps as lists of pairs: Windows PowerShell cannot hold two keys that differ only in case.

export interface Named<T> {
  readonly name: string
  readonly value: T
}

export function toPairs<T>(map: Readonly<Record<string, T>>): readonly Named<T>[] {
  return Object.entries(map).map(([name, value]) => ({ name, value }))
}
