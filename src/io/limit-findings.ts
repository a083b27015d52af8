// Limits the findings of one kind, and counts the rest.
import { compareFindings, type Finding } from '../model/finding.ts'
import { groupBy } from '../model/group-by.ts'
import { problem } from './problems.ts'

/** Most findings of one kind: users fix a few at a time, and a hostile file could cause a million. */
const limit = 100

/**
 * Keeps their order. One finding of the same severity counts the rest of its kind. A layer that is given twice has its
 * findings once.
 */
export function limitFindings(all: readonly Finding[]): readonly Finding[] {
  const unique = new Map(all.map((finding) => [contentOf(finding), finding])).values()
  const kinds = groupBy(unique, ({ severity, id }) => `${severity} ${id}`)
  const kept = Array.from(kinds.values(), (some): readonly Finding[] => {
    const next = some[limit]
    if (!next) return some
    const { id, severity, harm, path, place } = next
    const more = problem('more-of-a-kind', { place, path }, `${some.length - limit} more of ${id}`)
    return [...some.slice(0, limit), { ...more, severity, ...(harm && { harm }) }]
  })
  return kept.flat().sort(compareFindings)
}

/** All but the excerpt: a file of one long line is in each of them. */
function contentOf({ place, ...rest }: Finding): string {
  return JSON.stringify([rest, place?.file, place?.line, place?.column])
}
