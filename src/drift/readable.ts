// Removes differences that are only due to a part of a file that could not be parsed.
import type { Finding, Place } from '../model/finding.ts'
import { isWithin } from '../model/path.ts'
import type { Found } from './evidence.ts'

/** Faults at which parsing stopped. */
const cutOff: ReadonlySet<string> = new Set(['too-large', 'alias-limit', 'more-findings'])

/** `faults` are the parse errors of the actual text. */
export function readable(leaves: readonly Found[], faults: readonly Finding[]): readonly Found[] {
  if (faults.some(({ id }) => cutOff.has(id))) return []
  return leaves.filter((leaf) => !faults.some((fault) => hides(fault, leaf)))
}

function hides({ path, place }: Finding, { doc, at }: Found): boolean {
  // One of several documents could not be parsed, but it is unknown which.
  if (!doc) return true
  if (isSame(doc.place(at), place)) return true
  return path.length > 0 && isWithin(at, path) && isSame(doc.place(path), place)
}

function isSame(one: Place | undefined, other: Place | undefined): boolean {
  return one !== undefined && one.line === other?.line && one.column === other.column
}
