// Tells a person, or a pipeline, how a run failed.
import { isList, isObject } from '../model/json.ts'
import { printable } from '../model/printable.ts'
import type { Screen } from '../present/screen.ts'
import { fold } from '../present/wrap.ts'
import { exits } from './exit.ts'
import type { Failure } from './failure.ts'

/** A terminal breaks words; a file keeps each line whole. */
export function failureText({ message, hints }: Failure, { paint, columns }: Screen): string {
  const told = (label: string, text: string) => {
    const [first = '', ...more] = fold(printable(text), label.length, columns ?? Infinity)
    const below = more.map((line) => `${' '.repeat(label.length)}${line}\n`)
    return [first, '\n', ...below].join('')
  }
  const lines = hints.map((hint) => `  ${told('  ', hint)}`)
  return `${paint('red', 'error:')} ${told('error: ', message)}${lines.join('')}`
}

export function failureJson({ exit, message, hints }: Failure): string {
  return jsonText({ ok: false, exit: exits[exit].code, error: { kind: exit, message, hints } })
}

/** The same text; of each list only one item at a time. */
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

/** No text within JSON holds a line end of its own. */
function indented(value: unknown, depth: number): string {
  const text = JSON.stringify(value, null, 2).replaceAll('\n', `\n${'  '.repeat(depth)}`)
  return printable(text)
}

export function jsonText(value: unknown): string {
  return `${printable(JSON.stringify(value, null, 2))}\n`
}
