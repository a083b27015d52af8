// Severity of a difference, by file and field.
import type { Severity } from '../model/finding.ts'

type Row = readonly [file: RegExp, key: RegExp, severity: Severity]

const any = /^/

/** The first matching row applies. */
const rows: readonly Row[] = [
  // Scripts that run as administrator.
  [/\.psm?1$/, any, 'error'],
  // Permissions and trust.
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
