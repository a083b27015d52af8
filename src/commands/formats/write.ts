// Writes findings or differences in a format for other programs; loaded on demand.
import { rules } from '../../rules/index.ts'
import { ignoreRules } from '../../rules/ignore.ts'
import { driftKinds } from '../../drift/kinds.ts'
import { problems } from '../../io/problems.ts'
import { isPath } from '../../io/profiles/profile-file.ts'
import type { Drift } from '../../model/drift.ts'
import type { Finding, Ignored } from '../../model/finding.ts'
import { driftEntries, findingEntries } from '../../present/formats/entries.ts'
import type { Pieces } from '../../present/pieces.ts'
import { issues } from '../../profile/issues.ts'
import { refusals } from '../../targets/index.ts'
import { writers } from '../../present/formats/index.ts'
import { workloadRules } from '../../workloads/rules/index.ts'
import type { Kind, Reported } from '../../present/formats/reported.ts'
import type { ExportFormat } from './flag.ts'

export interface ReportContext {
  readonly command: string
  readonly version: string
  readonly profile: string
}

export interface Findings extends ReportContext {
  readonly findings: readonly Finding[]
  readonly ignored: readonly Ignored[]
  readonly strict: boolean
}

export async function writeFindings(format: ExportFormat, reports: readonly Findings[]) {
  return write(
    format,
    reports.map((report) => ({
      ...report,
      entries: findingEntries(report),
      looked: (report.command === 'lint' ? workloadRules : rules).map(({ id }) => id),
    })),
  )
}

export interface Differences extends ReportContext {
  readonly drifts: readonly Drift[]
  readonly nodes: readonly string[]
  readonly ignored: readonly { readonly drift: Drift; readonly reason: string }[]
  /** As typed. */
  readonly evidence: readonly string[]
}

export async function writeDrifts(format: ExportFormat, reports: readonly Differences[]) {
  return write(format, reports.map(reportedDrift))
}

function reportedDrift(found: Differences) {
  const entries = driftEntries(found)
  const isCase = (start: string) =>
    entries.some(({ cases }) =>
      cases.some(({ names }) => names.some((name) => name.startsWith(start))),
    )
  // A bundle without differences is one passed test case; one with differences has a case for each file.
  const clean = found.evidence.filter((one) => !isCase(one))
  return { ...found, entries, looked: [...clean, ...found.nodes] }
}

async function write(
  format: ExportFormat,
  reports: readonly Omit<Reported, 'isFile' | 'kinds'>[],
): Promise<Pieces> {
  const writer = await writers[format]()
  const known = kinds()
  return writer(
    reports.map((reported) => ({ ...reported, isFile: isPath(reported.profile), kinds: known })),
  )
}

function kinds(): readonly Kind[] {
  const before = Object.entries(problems).map(([id, { message, remedy }]) => ({
    id,
    summary: message.replace('{}', '…'),
    remedy,
  }))
  const ignoring = Object.entries(ignoreRules).map(([id, { severity, message, remedy }]) => ({
    id,
    severity,
    summary: message('…', { reason: '', until: '…' }),
    remedy,
  }))
  const shapes = Object.entries(issues).map(([id, summary]) => ({ id, summary }))
  const drift = Object.entries(driftKinds).map(([id, summary]) => ({ id, summary }))
  return [...rules, ...workloadRules, ...before, ...shapes, ...refusals, ...ignoring, ...drift]
}
