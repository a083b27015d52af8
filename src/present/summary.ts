// Summary: how many findings there are, by severity.
import type { Finding, Severity } from '../model/finding.ts'
import { severities } from '../model/finding.ts'

const words: Readonly<Record<Severity, { readonly one: string; readonly many: string }>> = {
  error: { one: 'error', many: 'errors' },
  warning: { one: 'warning', many: 'warnings' },
  info: { one: 'note', many: 'notes' },
}

/** `3 errors, 1 warning`. */
export function summarize(findings: readonly Finding[]): string {
  const counts = severities.flatMap((severity) => {
    const found = findings.filter((finding) => finding.severity === severity).length
    return found === 0 ? [] : [count(severity, found)]
  })
  return counts.join(', ') || 'no findings'
}

export function count(severity: Severity, found: number): string {
  return `${found} ${found === 1 ? words[severity].one : words[severity].many}`
}

/** `3 errors: cidr-malformed (2), join-lacks-ca`. */
export function countWithIds(severity: Severity, found: readonly Finding[]): string {
  const times = new Map<string, number>()
  for (const { id } of found) times.set(id, (times.get(id) ?? 0) + 1)
  const ids = [...times].map(([id, many]) => (many === 1 ? id : `${id} (${many})`))
  return `${count(severity, found.length)}: ${ids.join(', ')}`
}
