// Summary: how many findings there are, by severity.
import type { Finding } from '../model/finding.ts'
import { severities } from '../model/finding.ts'

const words = {
  error: { one: 'error', many: 'errors' },
  warning: { one: 'warning', many: 'warnings' },
  info: { one: 'note', many: 'notes' },
} as const

/** `3 errors, 1 warning`. */
export function summarize(findings: readonly Finding[]): string {
  const counts = severities.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length
    return count === 0
      ? []
      : [`${count} ${count === 1 ? words[severity].one : words[severity].many}`]
  })
  return counts.join(', ') || 'no findings'
}
