// Limits the findings of one kind, and counts the rest.
import { compareFindings, type Finding } from '../model/finding.ts'
import { problem } from './problems.ts'

/** Most findings of one kind: users fix a few at a time, and a hostile file could cause a million. */
const limit = 100

/**
 * Keeps their order. One finding of the same severity counts the rest of its kind. A layer that is given twice has its
 * findings once.
 */
export function limitFindings(all: readonly Finding[]): readonly Finding[] {
  const findings = new Map(all.map((finding) => [JSON.stringify(finding), finding])).values()
  const found = new Map<string, number>()
  const kept: Finding[] = []
  const over = new Map<string, Finding>()
  for (const finding of findings) {
    const kind = `${finding.severity} ${finding.id}`
    const times = (found.get(kind) ?? 0) + 1
    found.set(kind, times)
    if (times <= limit) kept.push(finding)
    else if (times === limit + 1) over.set(kind, finding)
  }
  const more = Array.from(over, ([kind, { id, severity, harm, path, place }]) => {
    const about = `${(found.get(kind) ?? 0) - limit} more of ${id}`
    return { ...problem('more-of-a-kind', { place, path }, about), severity, ...(harm && { harm }) }
  })
  return [...kept, ...more].sort(compareFindings)
}
