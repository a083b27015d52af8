// Writes a new profile as YAML, with explanatory comments.
import { wrapAnsi } from 'fast-wrap-ansi'
import { Document, isMap, isScalar } from 'yaml'
import type { JsonObject } from '../../model/json.ts'
import type { Path } from '../../model/path.ts'
import { escapeControls } from '../../text/printable.ts'

export interface Comment {
  readonly path: Path
  readonly text: string
}

interface ProfileText {
  readonly base: string
  readonly patch: JsonObject
  readonly comments: readonly Comment[]
  /** Path or URL of the JSON Schema for editors; absent if the file does not exist. */
  readonly schema?: string | undefined
}

/** Columns of a comment, without `# `. */
const width = 89

/** Long values stay on one line; strings have single quotes where they need quotes. */
export const style = { lineWidth: 0, singleQuote: true } as const

export function composeProfile({ base, patch, comments, schema }: ProfileText): string {
  const header = { apiVersion: 'winnode/v1', kind: 'NodeProfile', extends: base }
  const document = new Document({ ...header, ...patch })
  for (const comment of comments) commentOn(document, comment)
  const head =
    schema === undefined ? '' : `# yaml-language-server: $schema=${escapeControls(schema)}\n`
  return `${head}${document.toString(style)}`
}

/** Puts the comment above the key; does nothing if the path is not written. */
export function commentOn(document: Document, { path, text }: Comment): void {
  const map = document.getIn(path.slice(0, -1), true)
  if (!isMap(map)) return
  const key = map.items
    .map((pair) => pair.key)
    .find((one) => isScalar(one) && one.value === path.at(-1))
  const first = map.items[0]?.key === key
  // The printer expects the comment above the first key of a map at the map.
  if (isScalar(key)) (first && path.length > 1 ? map : key).commentBefore = wrapped(text)
}

function wrapped(text: string): string {
  return wrapAnsi(escapeControls(text), width)
    .split('\n')
    .map((line) => ` ${line}`)
    .join('\n')
}
