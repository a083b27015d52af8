// A first run compared with the assumptions: as a table, as Markdown and as data.
import type { Compared, FirstRunComparison, Verdict } from '../doctor/first-run.ts'
import { groupBy } from '../model/group-by.ts'
import type { WindowsAssumption } from '../model/tables.ts'
import { markdownUnreadable, type UnreadableFile } from './doctor.ts'
import { linked, prose } from './formats/markdown-text.ts'
import { oneLine } from './one-line.ts'
import { detailLines, detailsIn } from './pretty.ts'
import type { Screen } from './screen.ts'
import { table } from './table.ts'
import { fold } from './wrap.ts'

export interface FirstRunReport {
  /** Absent if the file could not be read. */
  readonly comparison?: FirstRunComparison
  readonly unreadable: readonly UnreadableFile[]
}

export function prettyFirstRun({ comparison, unreadable }: FirstRunReport, screen: Screen): string {
  const blocks = [
    ...(comparison ? blocksOf(comparison, screen) : []),
    ...unreadable.map(({ source, why }) => folded(`${source} could not be read: ${why}`, screen)),
  ]
  return `${blocks.join('\n\n')}\n`
}

/** The differences only; empty if there are none. */
export function briefFirstRun(report: FirstRunReport, screen: Screen): string {
  if (!report.comparison) return prettyFirstRun(report, screen)
  const differing = report.comparison.rows.filter(({ verdict }) => verdict === 'differs')
  return differing.map((row) => `${difference(row, screen)}\n`).join('\n')
}

function blocksOf({ run, rows, unknown }: FirstRunComparison, screen: Screen): readonly string[] {
  const cells = rows.map((row) => [
    row.assumption.id,
    assumedText(row.assumption),
    measuredText(row),
    row.verdict,
  ])
  return [
    `Windows ${run.windows}, PowerShell ${run.powershell}, API server: ${run.cluster}`,
    table(['ROW', 'ASSUMED', 'MEASURED', 'RESULT'], cells, screen).trimEnd(),
    ...rows.filter(({ verdict }) => verdict === 'differs').map((row) => difference(row, screen)),
    ...reasonsNotMeasured(rows).map((line) => screen.paint('dim', folded(line, screen))),
    ...(unknown.length > 0 ? [folded(unknownText(unknown), screen)] : []),
    screen.paint('bold', countsText(rows)),
  ]
}

function difference(row: Compared, screen: Screen): string {
  const { id, what, changes, host, see } = row.assumption
  const details = detailsIn({
    assumed: assumedText(row.assumption),
    measured: measuredText(row),
    changes,
    'assumed in': host,
    see,
  })
  const lines = [
    ...fold(oneLine(what), 2, screen.columns),
    ...details.flatMap(([name, text]) => detailLines(name, text, screen)),
  ]
  return [screen.paint('bold', id), ...lines.map((line) => `  ${line}`)].join('\n')
}

/** Rows with the same reason are one line. */
function reasonsNotMeasured(rows: readonly Compared[]): readonly string[] {
  const unmeasured = rows.filter(({ why }) => why !== undefined)
  return Array.from(
    groupBy(unmeasured, ({ why }) => why),
    ([why, some]) =>
      `not measured (${why}): ${some.map(({ assumption }) => assumption.id).join(', ')}`,
  )
}

const folded = (line: string, screen: Screen): string =>
  fold(oneLine(line), 2, screen.columns).join('\n')

const unknownText = (ids: readonly string[]): string =>
  `rows that this winnode does not know: ${ids.join(', ')}`

function assumedText({ assumed, compare }: WindowsAssumption): string {
  return compare === undefined ? String(assumed) : `${compare} ${assumed}`
}

const measuredText = ({ measured = '-' }: Compared): string => String(measured)

function countsText(rows: readonly Compared[]): string {
  const rowsWith = (wanted: Verdict) => rows.filter(({ verdict }) => verdict === wanted).length
  return `${rowsWith('same')} same, ${rowsWith('differs')} differ, ${rowsWith('not measured')} not measured`
}

export function markdownFirstRun({ comparison, unreadable }: FirstRunReport): string {
  return [...(comparison ? markdownOf(comparison) : []), ...unreadable.map(markdownUnreadable)]
    .map((part) => `${part}\n`)
    .join('\n')
}

function markdownOf({ run, rows, unknown }: FirstRunComparison): readonly string[] {
  const cells = rows.map((row) => {
    const { id, see, changes } = row.assumption
    const cell = [assumedText(row.assumption), measuredText(row), row.verdict].map(prose)
    const change = row.verdict === 'differs' ? prose(changes) : ''
    return `| ${[linked(id, see), ...cell, change].join(' | ')} |`
  })
  const head = [
    '| Row | Assumed | Measured | Result | Changes |',
    '| --- | --- | --- | --- | --- |',
  ]
  return [
    prose(`Windows ${run.windows}, PowerShell ${run.powershell}, API server: ${run.cluster}`),
    [...head, ...cells].join('\n'),
    ...reasonsNotMeasured(rows).map(prose),
    ...(unknown.length > 0 ? [prose(unknownText(unknown))] : []),
    countsText(rows),
  ]
}

/** As JSON in the shape of docs/first-run.schema.json. */
export function firstRunJson({ comparison, unreadable }: FirstRunReport): object {
  const { windows = null, powershell = null, cluster = null } = comparison?.run ?? {}
  return {
    version: 1,
    windows,
    powershell,
    cluster,
    rows: (comparison?.rows ?? []).map(({ assumption, verdict, measured = null, why = null }) => ({
      id: assumption.id,
      what: assumption.what,
      assumed: assumption.assumed,
      compare: assumption.compare ?? 'equal',
      measured,
      result: verdict,
      why,
      changes: assumption.changes,
      host: assumption.host ?? null,
      see: assumption.see,
    })),
    unknown: comparison?.unknown ?? [],
    unread: unreadable,
  }
}
