// Key: the key of an entry of a map, which must be text, allowed and new.
import type { Pair } from 'yaml'
import { isAlias, isMap, isScalar, isSeq } from 'yaml'
import type { Path } from '../../model/path.ts'
import { formatPath } from '../../model/path.ts'
import type { Entry } from '../located.ts'
import { forbiddenKeys } from '../../model/unsafe.ts'
import type { ProblemId } from '../problems.ts'
import type { Report } from '../report.ts'
import type { Span } from '../span.ts'
import { unsafeIn } from './characters.ts'
import { rangeOf } from './range.ts'

export interface Key {
  readonly text: string
  readonly span: Span
}

interface Complaint {
  readonly id: ProblemId
  readonly about: string
}

export function isForbidden(key: string): boolean {
  return forbiddenKeys.has(key)
}

const kinds: readonly { readonly fits: (key: unknown) => boolean; readonly name: string }[] = [
  { fits: isMap, name: 'a map' },
  { fits: isSeq, name: 'a list' },
  { fits: isAlias, name: 'an alias' },
]

/** Nothing where the entry has to be left out; the report says why then. */
export function readKey(
  { key }: Pair,
  path: Path,
  entries: ReadonlyMap<string | number, Entry>,
  report: Report,
): Key | undefined {
  const span = rangeOf(key)
  const text = isScalar(key) ? key.value : undefined
  const complaint =
    typeof text === 'string'
      ? complainOfText(text, isScalar(key) && key.type === 'PLAIN', entries.get(text), report)
      : { id: 'key-not-text' as const, about: nameOf(key) }
  if (complaint) report.add(complaint.id, span, complaint.about, path)
  return typeof text === 'string' && !complaint ? { text, span } : undefined
}

function complainOfText(
  text: string,
  plain: boolean,
  before: Entry | undefined,
  report: Report,
): Complaint | undefined {
  const name = formatPath([text])
  const unsafe = unsafeIn(text)
  if (unsafe) return { id: unsafe, about: '' }
  if (isForbidden(text)) return { id: 'forbidden-key', about: name }
  if (plain && text === '<<') return { id: 'merge-key', about: '' }
  if (!before) return undefined
  return {
    id: 'duplicate-key',
    about: `${name} stands twice, first on line ${report.locate(before.key).line}`,
  }
}

function nameOf(key: unknown): string {
  const kind = kinds.find((one) => one.fits(key))
  return kind?.name ?? (isScalar(key) && key.source ? key.source : 'nothing')
}
