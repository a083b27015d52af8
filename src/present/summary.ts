// Counts findings by severity.
import type { Finding, Severity } from '../model/finding.ts'
import { severities } from '../model/finding.ts'
import { groupFindings } from './groups.ts'

/** The singular and plural name of each severity. */
export const severityWords = { error: 'error', warning: 'warning', info: 'note' } as const

/** `3 errors, 1 warning`; a group counts as one. */
export function summarize(findings: readonly Finding[]): string {
  return counts(groupFindings(findings)).join(', ') || 'no findings'
}

/** The count of each severity that occurs. */
export function counts(found: readonly Pick<Finding, 'severity'>[]): readonly string[] {
  return severities.flatMap((severity) => {
    const findings = found.filter((one) => one.severity === severity).length
    return findings === 0 ? [] : [count(severity, findings)]
  })
}

export function count(severity: Severity, found: number): string {
  return `${found} ${severityWords[severity]}${found === 1 ? '' : 's'}`
}

/** `3 errors: cidr-malformed (2), join-lacks-ca`. */
export function countWithIds(severity: Severity, found: readonly Finding[]): string {
  const times = new Map<string, number>()
  for (const { id } of found) times.set(id, (times.get(id) ?? 0) + 1)
  const ids = [...times].map(([id, many]) => (many === 1 ? id : `${id} (${many})`))
  return `${count(severity, found.length)}: ${ids.join(', ')}`
}
