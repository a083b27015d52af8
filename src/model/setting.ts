// Setting: what one key of a rendered file is for, and where that is written down.

export interface Setting {
  readonly why: string
  readonly see: string
}

/** By path in the file; `*` stands for any key of a map, `[]` for each item of a list. */
export type Settings = Readonly<Record<string, Setting>>

/** Rows with one source; a row that has its own brings it along. */
export function explain(
  see: string,
  rows: Readonly<Record<string, string | readonly [why: string, see: string]>>,
): Settings {
  return Object.fromEntries(
    Object.entries(rows).map(([path, row]) => {
      const [why, own] = typeof row === 'string' ? [row, see] : row
      return [path, { why, see: own }]
    }),
  )
}
