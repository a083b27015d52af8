// A failure as text or JSON, and JSON output in pieces.
import { isList, isObject } from '../model/json.ts'
import { escapeControls } from '../text/printable.ts'
import { oneLine } from '../present/one-line.ts'
import type { Screen } from '../present/screen.ts'
import { wrap } from '../present/wrap.ts'
import { exits } from './exit.ts'
import type { Failure } from './failure.ts'

/** Wrapped for a terminal, unwrapped for a file. */
export function failureText({ message, hints }: Failure, { paint, columns }: Screen): string {
  const label = 'error:'
  const error = wrap(`${label} `, oneLine(message), columns).slice(label.length)
  const lines = hints.map((hint) => wrap('  ', oneLine(hint), columns))
  return `${paint('red', label)}${error}${lines.join('')}`
}

export function failureJson(failure: Failure): string {
  return jsonText({ ok: false, exit: exits[failure.exit].code, error: errorJson(failure) })
}

export function errorJson({ exit, message, hints }: Failure): object {
  return { kind: exit, message, hints }
}

/** The text of `jsonText`, one list item at a time: a report of a fleet is too large for one string. */
export function* jsonPieces(value: unknown): Generator<string> {
  if (!isObject(value)) {
    yield jsonText(value)
    return
  }
  const known = Object.entries(value).filter(([, inner]) => inner !== undefined)
  for (const [index, [key, inner]] of known.entries()) {
    yield `${index === 0 ? '{' : ','}\n  ${indented(key, 1)}: `
    if (isList(inner) && inner.length > 0) yield* listPieces(inner)
    else yield indented(inner, 1)
  }
  yield known.length > 0 ? '\n}\n' : '{}\n'
}

function* listPieces(list: readonly unknown[]): Generator<string> {
  for (const [index, item] of list.entries())
    yield `${index === 0 ? '[' : ','}\n    ${indented(item ?? null, 2)}`
  yield '\n  ]'
}

/** JSON escapes line breaks within text, so each one left is between two lines. */
function indented(value: unknown, depth: number): string {
  const text = JSON.stringify(value, null, 2).replaceAll('\n', `\n${'  '.repeat(depth)}`)
  return escapeControls(text)
}

export function jsonText(value: unknown): string {
  return `${escapeControls(JSON.stringify(value, null, 2))}\n`
}
