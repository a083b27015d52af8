// Errors with the file, line and column of a template.

/** As in Handlebars, lines count from 1 and columns from 0. */
interface Position {
  readonly line: number
  readonly column: number
}

interface Node {
  readonly loc: { readonly source: string; readonly start: Position }
}

/** `containerd/config.toml.hbs:3:8`, columns from 1. */
export function formatPlace(name: string, { line, column }: Position): string {
  return `${name}:${line}:${column + 1}`
}

export function placeOf({ loc }: Node): string {
  return formatPlace(loc.source, loc.start)
}

export function fail(node: Node, message: string): never {
  throw new Error(`${placeOf(node)}: ${message}`)
}
