// The output of `winnode explain` as text.
import type { Screen } from './screen.ts'
import { oneLine } from './one-line.ts'
import { widthOf } from './width.ts'
import { wrap } from './wrap.ts'

export interface Explanation {
  /** Such as `feature gate`. */
  readonly kind: string
  readonly name: string
  /** One or two sentences. */
  readonly what: string
  readonly facts: readonly Fact[]
  /** Addresses of sources. */
  readonly see: readonly string[]
}

interface Fact {
  readonly name: string
  readonly text: string
}

export function explanationText(
  { kind, name, what, facts, see }: Explanation,
  screen: Screen,
): string {
  const rows = [...facts, ...see.map((text) => ({ name: 'see', text }))]
  const width = Math.max(0, ...rows.map((row) => widthOf(row.name))) + 2
  const line = (label: string, text: string) => wrap(label, oneLine(text), screen.columns)
  return [
    `${screen.paint('bold', `${kind} ${oneLine(name)}`)}\n`,
    ...(what === '' ? [] : [line('  ', what)]),
    ...(rows.length > 0 ? ['\n'] : []),
    ...rows.map((row) => line(`  ${row.name.padEnd(width)}`, row.text)),
  ].join('')
}
