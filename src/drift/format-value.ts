// Formats a value for messages, without secrets.
import { isList, isObject, type Json } from '../model/json.ts'
import { describeNamedSecret, redactSecrets } from '../text/secrets.ts'
import type { Leaf } from './compare.ts'

/** Characters of a value in a message. */
const longest = 72

/** Characters before the first difference of two long values. */
const lead = 24

/** One line. A long one is cut: it begins shortly before the first difference from `other`, or at its start. */
export function formatValue(value: Json, other?: Json): string {
  const text = redactSecrets(plainValue(value))
  if (text.length <= longest) return text
  const same = other === undefined ? 0 : sameStart(text, redactSecrets(plainValue(other)))
  const start = same > longest - lead ? same - lead : 0
  const rest = `${start > 0 ? '…' : ''}${text.slice(start)}`
  return rest.length > longest ? `${rest.slice(0, longest - 1)}…` : rest
}

function sameStart(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  return at
}

/** Strings that are empty or look like another type are quoted. */
export function plainValue(value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return /^$|^\s|\s$|^(?:true|false|null|[\d.]+)$|["\n]/.test(value) ? JSON.stringify(value) : value
}

/** Both sides of a difference as data. */
export function concealedSides({ path, was, should }: Pick<Leaf, 'path' | 'was' | 'should'>) {
  const name = String(path.at(-1) ?? '')
  return {
    ...(was !== undefined && { was: concealedValue(was, name) }),
    ...(should !== undefined && { should: concealedValue(should, name) }),
  }
}

/** The value as data; `name` is its key. */
function concealedValue(value: Json, name: string): Json {
  if (isObject(value)) {
    const entries = Object.entries(value).map(
      ([key, item]) => [key, concealedValue(item ?? null, key)] as const,
    )
    return Object.fromEntries(entries)
  }
  if (isList(value)) return value.map((item) => concealedValue(item, name))
  if (typeof value !== 'string') return value
  if (describeNamedSecret(name) !== undefined) return '*'.repeat(value.length)
  // A key such as tlsBootstrapToken; that of a map of files names a file.
  return /^[\w-]+$/.test(name)
    ? redactSecrets(`${name}: ${value}`).slice(name.length + 2)
    : redactSecrets(value)
}
