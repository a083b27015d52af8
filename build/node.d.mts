export const nodeModules: readonly {
  readonly file: string
  readonly folder: string
  readonly needs?: string
  readonly parts: readonly string[]
}[]
