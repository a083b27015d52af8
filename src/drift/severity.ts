// Severity: how much a difference matters, by the file and the field.
import type { Severity } from '../model/finding.ts'

type Row = readonly [file: RegExp, key: RegExp, severity: Severity]

const any = /^/

/** The first row counts. */
const rows: readonly Row[] = [
  [/\.md$|^bom\.json$/, any, 'info'],
  // Programs that act as administrator.
  [/\.psm?1$/, any, 'error'],
  [/^node\.json$/, /^steps\b.*\.(displayName|description|group|after)\b/, 'info'],
  // Who may do what, and what is trusted.
  [/^node\.json$/, /(sddl|sha256|checksum|url|copy|source|command|members)\b/, 'error'],
  [/^files\/kubelet\//, /^(authentication|authorization|tls|readOnlyPort|serverTLS)/, 'error'],
  [/^files\/kubeadm\//, /(discovery|caCertHashes)/, 'error'],
  [/\.(crt|conf)$/, any, 'error'],
  [/hosts\.toml$/, /\b(ca|server|skip_verify)\b/, 'error'],
  [/^cluster\//, /^(rules|subjects|roleRef)\b/, 'error'],
]

export function severityOf(file: string, key: string): Severity {
  return rows.find(([of, within]) => of.test(file) && within.test(key))?.[2] ?? 'warning'
}
