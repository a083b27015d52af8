// Tells a person, or a pipeline, how a run failed.
import { printable } from '../model/printable.ts'
import type { Paint } from '../present/paint.ts'
import { exits } from './exit.ts'
import type { Failure } from './failure.ts'

export function failureText({ message, hints }: Failure, paint: Paint): string {
  const lines = hints.map((hint) => `  ${printable(hint)}\n`)
  return `${paint(['red', 'bold'], 'error:')} ${printable(message)}\n${lines.join('')}`
}

export function failureJson({ exit, message, hints }: Failure): string {
  return jsonText({ ok: false, exit: exits[exit].code, error: { kind: exit, message, hints } })
}

export function jsonText(value: unknown): string {
  return `${printable(JSON.stringify(value, null, 2))}\n`
}
