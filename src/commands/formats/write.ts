// Writes findings or differences in a format for other programs; loaded on demand.
import { existsSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { rules } from '../../rules/index.ts'
import { isPath } from '../../io/profiles/profile-file.ts'
import { realPath } from '../../io/real-path.ts'
import type { DriftResult } from '../../model/drift.ts'
import { driftEntries, findingEntries, smokeEntries } from '../../present/formats/entries.ts'
import type { Chunks } from '../../present/chunks.ts'
import { github } from '../../present/formats/github.ts'
import { junit } from '../../present/formats/junit.ts'
import { markdown } from '../../present/formats/markdown.ts'
import { sarif } from '../../present/formats/sarif.ts'
import type { FindingsReport } from '../../present/pretty.ts'
import type { CheckResult } from '../../smoke/result.ts'
import { workloadRules } from '../../workloads/rules/index.ts'
import type { RunReport } from '../../present/formats/reported.ts'
import { differenceKinds, kindsBesideRules, smokeKinds } from '../finding-kinds.ts'
import type { ExportFormat } from './flag.ts'

const writers = { sarif, junit, markdown, github } as const satisfies Readonly<
  Record<ExportFormat, (reports: readonly RunReport[]) => Chunks>
>

interface ReportContext {
  readonly command: string
  readonly version: string
  readonly profile: string
}

export interface Findings extends ReportContext, Required<FindingsReport> {
  /** False if no rule was checked, since a file could not be read whole. */
  readonly complete?: boolean
}

export function writeFindings(format: ExportFormat, reports: readonly Findings[]): Chunks {
  return write(
    format,
    reports.map((report) => ({
      ...report,
      entries: findingEntries(report),
      checked: report.complete === false ? [] : rulesOf(report).map(({ id }) => id),
    })),
  )
}

const rulesOf = ({ command }: ReportContext) => (command === 'lint' ? workloadRules : rules)

export interface Checks extends ReportContext {
  readonly results: readonly CheckResult[]
}

export function writeSmoke(format: ExportFormat, report: Checks): Chunks {
  const checked = report.results.map(({ title }) => title)
  return write(format, [{ ...report, entries: smokeEntries(report.results), checked }])
}

export interface Differences extends ReportContext, DriftResult {
  /** Folders, as the user typed them. */
  readonly bundles: readonly string[]
}

export function writeDrifts(format: ExportFormat, reports: readonly Differences[]): Chunks {
  return write(format, reports.map(reportedDrift))
}

function reportedDrift(found: Differences) {
  const entries = driftEntries(found)
  const names = entries.flatMap(({ cases }) => cases.flatMap((one) => one.names))
  const isCase = (typed: string) => {
    // The names of the files in `./node` begin with `node/`.
    const start = join(typed, 'x').slice(0, -1)
    return names.some((name) => name.startsWith(start))
  }
  // A bundle without differences is one passed test case; one with differences has a case for each file.
  const clean = found.bundles.filter((one) => !isCase(one))
  return { ...found, entries, checked: [...clean, ...found.nodes] }
}

function write(format: ExportFormat, reports: readonly Reported[]): Chunks {
  const known = [...rules, ...workloadRules, ...kindsBesideRules, ...differenceKinds, ...smokeKinds]
  const isForGitHub = format === 'github' || format === 'sarif'
  return writers[format](
    reports.map((reported) => ({
      ...(isForGitHub ? inCheckout(reported) : reported),
      isFile: isPath(reported.profile),
      descriptions: known,
    })),
  )
}

type Reported = Omit<RunReport, 'isFile' | 'descriptions'>

/**
 * With paths from the root of the checkout: the runner and code scanning take relative paths from there, also in a
 * step with another `working-directory`.
 * https://github.com/actions/runner/blob/main/src/Runner.Worker/ActionCommandManager.cs (IssueCommandExtension)
 */
function inCheckout(reported: Reported): Reported {
  const root = realPath(process.env['GITHUB_WORKSPACE'] ?? '')
  const folder = root === undefined ? '' : relative(root, process.cwd())
  if (folder === '' || folder.startsWith('..') || isAbsolute(folder)) return reported
  const moved = (file: string) =>
    existsSync(file) && !isAbsolute(file) ? join(folder, file) : file
  return {
    ...reported,
    profile: moved(reported.profile),
    entries: reported.entries.map(({ place, ...entry }) => ({
      ...entry,
      ...(place && { place: { ...place, file: moved(place.file) } }),
    })),
  }
}
