// Tells a person, or a pipeline, how a run failed.
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
  return `${paint(['red', 'bold'], 'error:')} ${told('error: ', message)}${lines.join('')}`
}

export function failureJson({ exit, message, hints }: Failure): string {
  return jsonText({ ok: false, exit: exits[exit].code, error: { kind: exit, message, hints } })
}

export function jsonText(value: unknown): string {
  return `${printable(JSON.stringify(value, null, 2))}\n`
}
