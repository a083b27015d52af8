// A document as TOML text: the keys of a table first, then the tables in it, with an empty line before each.
// https://toml.io/en/v1.0.0
import { isList, isObject, type Json, type JsonObject } from '../model/json.ts'
import type { TomlBody } from '../model/plan.ts'
import { quotes } from './quote.ts'

/** A table that contains only tables gets no header. */
export function tomlText({ value, head, comments = [], literalNames = false }: TomlBody): string {
  const name = (key: string) => nameText(key, literalNames)
  const commentOn = (path: readonly string[]) =>
    comments.flatMap(({ at, text }) =>
      at.length === path.length && at.every((part, index) => part === '*' || part === path[index])
        ? [`# ${text}`]
        : [],
    )
  const linesOf = (table: JsonObject, path: readonly string[]): readonly string[] => {
    const rows: (readonly [key: string, value: Json])[] = []
    const tables: (readonly [key: string, table: JsonObject])[] = []
    for (const [key, inner] of Object.entries(table)) {
      if (isObject(inner)) tables.push([key, inner])
      else if (inner !== undefined) rows.push([key, inner])
    }
    return [
      ...(path.length > 0 && rows.length > 0
        ? ['', ...commentOn(path), `[${path.map(name).join('.')}]`]
        : []),
      ...rows.flatMap(([key, inner]) => {
        const comment = commentOn([...path, key])
        // Above all tables, a comment begins a paragraph.
        const gap = path.length === 0 && comment.length > 0 ? [''] : []
        return [...gap, ...comment, `${name(key)} = ${valueText(inner)}`]
      }),
      ...tables.flatMap(([key, inner]) => linesOf(inner, [...path, key])),
    ]
  }
  return [`# ${head}`, ...linesOf(value, [])].join('\n')
}

function nameText(key: string, literal: boolean): string {
  if (/^[\w-]+$/.test(key)) return key
  return literal && /^[ -&(-~]+$/.test(key) ? `'${key}'` : quotes.toml(key)
}

function valueText(value: Json): string {
  return isList(value) ? `[${value.map(valueText).join(', ')}]` : quotes.toml(value)
}
