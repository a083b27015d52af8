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
import { writers } from '../../present/formats/index.ts'
import type { Kind, Reported } from '../../present/formats/reported.ts'
import type { ExportFormat } from './flag.ts'

export interface ReportContext {
  readonly command: string
  readonly version: string
  readonly profile: string
}

interface Findings {
  readonly findings: readonly Finding[]
  readonly ignored: readonly Ignored[]
  readonly strict: boolean
}

export async function writeFindings(format: ExportFormat, found: Findings, about: ReportContext) {
  const looked = rules.map(({ id }) => id)
  return write(format, { ...about, entries: findingEntries(found), looked })
}

interface Differences {
  readonly drifts: readonly Drift[]
  readonly nodes: readonly string[]
  readonly ignored: readonly { readonly drift: Drift; readonly reason: string }[]
  /** As typed. */
  readonly evidence: readonly string[]
}

export async function writeDrifts(format: ExportFormat, found: Differences, about: ReportContext) {
  const entries = driftEntries(found)
  const isCase = (start: string) =>
    entries.some(({ cases }) =>
      cases.some(({ names }) => names.some((name) => name.startsWith(start))),
    )
  // A bundle without differences is one passed test case; one with differences has a case for each file.
  const clean = found.evidence.filter((one) => !isCase(one))
  return write(format, { ...about, entries, looked: [...clean, ...found.nodes] })
}

async function write(
  format: ExportFormat,
  reported: Omit<Reported, 'isFile' | 'kinds'>,
): Promise<Pieces> {
  const writer = await writers[format]()
  return writer({ ...reported, isFile: isPath(reported.profile), kinds: kinds() })
}

function kinds(): readonly Kind[] {
  const before = Object.entries(problems).map(([id, { message, remedy }]) => ({
    id,
    summary: message('…'),
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
  return [...rules, ...before, ...shapes, ...ignoring, ...drift]
}
