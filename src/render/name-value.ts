// Maps as lists of name and value: Windows PowerShell cannot hold keys that differ only in case.

export interface NameValue<T> {
  readonly name: string
  readonly value: T
}

export function toPairs<T>(map: Readonly<Record<string, T>>): readonly NameValue<T>[] {
  return Object.entries(map).map(([name, value]) => ({ name, value }))
}
