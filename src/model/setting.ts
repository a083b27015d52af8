// Setting: the purpose of one key of a rendered file, its source, and the profile field that changes it.

export interface Setting {
  readonly why: string
  readonly see: string
  /** The field of a profile that decides the value; absent where winnode or the node does. */
  readonly field?: string
}

/** By path in the file; `*` stands for any key of a map, `[]` for each item of a list. */
export type Settings = Readonly<Record<string, Setting>>

type Row = string | readonly [why: string, see: string] | (Omit<Setting, 'see'> & Partial<Setting>)

/** Rows with one source; a row may have a different one. */
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
