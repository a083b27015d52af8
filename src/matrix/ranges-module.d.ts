// The module that the build writes: what semver reads of the ranges of the tables.
declare module '#ranges' {
  export type Bound = readonly [operator: '' | '=' | '<' | '>' | '<=' | '>=', version: string]
  /** Alternatives, each of bounds that must all hold. */
  export type Bounds = readonly (readonly Bound[])[]

  const ranges: Readonly<Record<string, Bounds>>
  export default ranges
}
