// Whether two values mean the same to the program that reads them.
import { parseDuration } from '../go/duration.ts'
import { parsePercentage } from '../go/floating.ts'
import type { Json } from '../model/json.ts'
import { bytes, millicores } from '../sizing/quantities.ts'

/** How a value is parsed, if not as plain text. */
export type Meaning = 'text' | 'quantity' | 'duration'

export function sameValue(a: Json, b: Json, meaning: Meaning): boolean {
  if (a === b) return true
  const [one, other] = [textOf(a), textOf(b)]
  if (one === undefined || other === undefined) return false
  if (meaning === 'quantity') return sameAmount(one, other)
  if (meaning === 'duration') return sameDuration(one, other)
  return typeof a === 'string' && typeof b === 'string' && samePath(one, other)
}

function textOf(value: Json): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : undefined
}

/** `10%`, `1Gi`, `0.5`; exact, as 1Gi and 1024Mi are one amount. */
function sameAmount(one: string, other: string): boolean {
  const [a, b] = [parsePercentage(one), parsePercentage(other)]
  if (a !== undefined && b !== undefined) return a === b
  return both(one, other, (text) => bytes(text, 'up')) && both(one, other, thousandths)
}

const thousandths = (text: string) => millicores(text, 'up')

function sameDuration(one: string, other: string): boolean {
  return both(one, other, (text) => (text === '0' ? 0 : parseDuration(text)))
}

function both(one: string, other: string, read: (text: string) => unknown): boolean {
  const [a, b] = [read(one), read(other)]
  return a !== undefined && a === b
}

/** A drive, a share or pipe of Windows, or a folder of the current drive; also after the `=` of a flag. */
const windowsPath = /^(--?[\w-]+=)?((?:npipe:)?(?:[A-Za-z]:[\\/]|[\\/]).*)$/

/** Windows accepts both slashes and ignores case; Go programs resolve `/var/lib` to `C:\var\lib`. */
function samePath(one: string, other: string): boolean {
  const [a, b] = [plainPath(one), plainPath(other)]
  return a !== undefined && a === b
}

function plainPath(text: string): string | undefined {
  const [, flag = '', path] = windowsPath.exec(text) ?? []
  if (path === undefined) return undefined
  const slashes = path.replaceAll('\\', '/').toLowerCase()
  return flag + (/^\/(?!\/)/.test(slashes) ? `c:${slashes}` : slashes)
}
