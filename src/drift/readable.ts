// Readable: the differences of what could be read; what stands in the place of the rest, nobody wrote.
import type { Finding, Place } from '../model/finding.ts'
import { isWithin } from '../model/path.ts'
import type { Found } from './evidence.ts'

/** Faults behind which a text was not read any further. */
const cutOff: ReadonlySet<string> = new Set(['too-large', 'alias-limit', 'more-findings'])

/** `faults` are those of the text that was found. */
export function readable(leaves: readonly Found[], faults: readonly Finding[]): readonly Found[] {
  if (faults.some(({ id }) => cutOff.has(id))) return []
  return leaves.filter((leaf) => !faults.some((fault) => hides(fault, leaf)))
}

function hides({ path, place }: Finding, { doc, at }: Found): boolean {
  // Of several documents one could not be read: nobody knows which.
  if (!doc) return true
  if (isSame(doc.place(at), place)) return true
  return path.length > 0 && isWithin(at, path) && isSame(doc.place(path), place)
}

function isSame(one: Place | undefined, other: Place | undefined): boolean {
  return one !== undefined && one.line === other?.line && one.column === other.column
}
