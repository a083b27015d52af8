// Writes documents as YAML in block style and ASCII, safe for envsubst.
import type { Json, JsonObject } from '../model/json.ts'
import { isList, isObject } from '../model/json.ts'
import { checkText } from './quote/scalar.ts'
import { doubleQuoted } from './quote/double-quoted.ts'

/** Each document follows a line `---`. */
export function yamlText(documents: readonly JsonObject[]): string {
  return documents.map((document) => `---\n${mapLines(document).join('\n')}\n`).join('')
}

function mapLines(map: JsonObject): readonly string[] {
  return Object.entries(map).flatMap(([key, value]) => {
    if (value === undefined) return []
    const name = scalar(key)
    if (!isNonEmpty(value)) return [`${name}: ${scalar(value)}`]
    return [`${name}:`, ...indented(linesOf(value))]
  })
}

function listLines(list: readonly Json[]): readonly string[] {
  return list.flatMap((item) => {
    if (!isNonEmpty(item)) return [`- ${scalar(item)}`]
    const [first = '', ...others] = linesOf(item)
    return [`- ${first}`, ...indented(others)]
  })
}

function linesOf(value: Json): readonly string[] {
  if (isList(value)) return listLines(value)
  return isObject(value) ? mapLines(value) : [scalar(value)]
}

const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`)

/** A map or a list with something in it. */
function isNonEmpty(value: Json): boolean {
  if (isList(value)) return value.length > 0
  return isObject(value) && Object.values(value).some((inner) => inner !== undefined)
}

/** Plain scalars that YAML 1.1 and 1.2 read as strings, never as numbers, dates or booleans. */
const plain = /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[A-Za-z][\w./-]*$/i

function scalar(value: Json): string {
  if (value === null) return 'null'
  if (isList(value)) return '[]'
  if (isObject(value)) return '{}'
  if (typeof value === 'string' && plain.test(checkText(value))) return value
  return unsubstituted(doubleQuoted(value))
}

/**
 * clusterctl and Flux substitute `${NAME}`, and read `$$`, `\\` and `\/` as escapes:
 * https://github.com/drone/envsubst/blob/master/parse/scan.go (scanEscaped, scanLbrack).
 */
function unsubstituted(literal: string): string {
  return literal.replace(/\\\\|\$/g, (found) => (found === '$' ? '\\x24' : '\\x5C'))
}
