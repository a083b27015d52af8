// Formats a value for messages, without secrets.
import { isList, isObject, type Json } from '../model/json.ts'
import { describeNamedSecret, redactSecrets } from '../text/secrets.ts'

const longest = 72

/** One line, shortened if it is long. */
export function formatValue(value: Json): string {
  const text = redactSecrets(plainValue(value))
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}

/** Strings that are empty or look like another type are quoted. */
export function plainValue(value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return /^$|^\s|\s$|^(?:true|false|null|[\d.]+)$|["\n]/.test(value) ? JSON.stringify(value) : value
}

/** Both sides of a difference as data; `name` is their key. */
export function concealedSides(
  { was, should }: { readonly was?: Json | undefined; readonly should?: Json | undefined },
  name: string,
) {
  return {
    ...(was !== undefined && { was: concealedValue(was, name) }),
    ...(should !== undefined && { should: concealedValue(should, name) }),
  }
}

/** The value as data; `name` is its key. */
function concealedValue(value: Json, name = ''): Json {
  if (isObject(value)) {
    const entries = Object.entries(value).map(
      ([key, item]) => [key, concealedValue(item ?? null, key)] as const,
    )
    return Object.fromEntries(entries)
  }
  if (isList(value)) return value.map((item) => concealedValue(item, name))
  if (typeof value !== 'string') return value
  return describeNamedSecret(name) === undefined ? redactSecrets(value) : '*'.repeat(value.length)
}
