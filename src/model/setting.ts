// The purpose of one key of a rendered file, its source, and the profile field that sets it.

export interface Setting {
  readonly why: string
  readonly see: string
  /** The profile field that sets the value; absent if winnode or the node sets it. */
  readonly field?: string
}

/** By path in the file; `*` matches any key of a map, `[]` each item of a list. */
export type Settings = Readonly<Record<string, Setting>>

type Row = string | readonly [why: string, see: string] | (Omit<Setting, 'see'> & Partial<Setting>)

/** Rows with a common source; a row can override it. */
export function explain(see: string, rows: Readonly<Record<string, Row>>): Settings {
  return Object.fromEntries(
    Object.entries(rows).map(([path, row]) => {
      if (typeof row === 'string') return [path, { why: row, see }]
      if ('why' in row) return [path, { see, ...row }]
      const [why, own] = row
      return [path, { why, see: own }]
    }),
  )
}
