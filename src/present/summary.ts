// Counts findings by severity.
import type { Finding, Severity } from '../model/finding.ts'
import { severities } from '../model/finding.ts'
import { groupBy } from '../model/group-by.ts'
import { groupFindings } from './groups.ts'

/** The singular and plural name of each severity. */
export const severityWords = { error: 'error', warning: 'warning', info: 'note' } as const

/** `3 errors, 1 warning`; a group counts as one. */
export function summarize(findings: readonly Finding[]): string {
  return counts(groupFindings(findings)).join(', ') || 'no findings'
}

/** The count of each severity that occurs, the worst first. */
export function counts(found: readonly Pick<Finding, 'severity'>[]): readonly string[] {
  return forSeverities(found, countText)
}

/** With the ids: `3 errors: cidrs-overlap (2), join-lacks-ca`. */
export function countsWithIds(found: readonly Finding[]): readonly string[] {
  return forSeverities(found, (severity, some) => {
    const ids = Array.from(
      groupBy(some, ({ id }) => id),
      ([id, { length }]) => (length === 1 ? id : `${id} (${length})`),
    )
    return `${countText(severity, some)}: ${ids.join(', ')}`
  })
}

function forSeverities<T extends Pick<Finding, 'severity'>>(
  found: readonly T[],
  textOf: (severity: Severity, some: readonly T[]) => string,
): readonly string[] {
  return severities.flatMap((severity) => {
    const some = found.filter((one) => one.severity === severity)
    return some.length === 0 ? [] : [textOf(severity, some)]
  })
}

function countText(severity: Severity, { length }: readonly unknown[]): string {
  return `${length} ${severityWords[severity]}${length === 1 ? '' : 's'}`
}
