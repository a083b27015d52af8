// Modules that the build writes: the tables of src/matrix/tables, and of src/matrix/minors by minor, oldest first.
declare module '#tables' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports -- a declared module cannot import a file (TS2439)
  const tables: import('../model/tables.ts').Tables
  export default tables
}

declare module '#minors' {
  /** Each as JSON. */
  const minors: Readonly<Record<string, string>>
  export default minors
}
