// Drift as text: differences grouped by file, and the commands that reconcile them.
import { plainValue } from '../drift/format-value.ts'
import type { Drift, DriftResult, Owner } from '../model/drift.ts'
import { compareText, severities, worstLast } from '../model/finding.ts'
import { groupBy } from '../model/group-by.ts'
import { largestNeed, needWords } from '../model/need.ts'
import { formatPath } from '../model/path.ts'
import { oneLine } from './one-line.ts'
import { fleetBlock, fixLines, nodeCount, matchingNodesText } from './fleet.ts'
import {
  findingBlock,
  type Detail,
  detailLines,
  detailsIn,
  headLines,
  ignoredLine,
  findingOnOneLine,
} from './pretty.ts'
import type { Screen } from './screen.ts'
import { countsWithIds } from './summary.ts'
import { cut, widthOf } from './width.ts'
import { fold } from './wrap.ts'

interface DriftReport extends DriftResult {
  /** Adds the purpose of each field, and its source. */
  readonly explain: boolean
}

/** Without notes and ignored differences; empty if nothing else is left. */
export function briefDrift({ drifts, nodes, explain }: DriftReport, screen: Screen): string {
  const beyondNotes = drifts.filter(({ severity }) => severity !== 'info')
  return beyondNotes.length === 0
    ? ''
    : prettyDrift({ drifts: beyondNotes, nodes, ignored: [], explain }, screen)
}

/** Sorted like findings, the worst last, with the counts below. Ends in a newline. */
export function prettyDrift(
  { drifts, nodes, ignored, explain }: DriftReport,
  screen: Screen,
): string {
  const bundles = drifts.filter((drift) => !drift.nodes)
  const fleet = drifts.filter((drift) => drift.nodes).toSorted(mostFrequentLast)
  // Sort by severity across both groups: unreadable evidence belongs to no node, and is worse than a warning on a node.
  const blocks = severities.toReversed().flatMap((severity) => {
    const hasSeverity = (drift: Drift | undefined) => drift?.severity === severity
    return [
      ...groupsOf(bundles.filter(hasSeverity)).map((group) => groupText(group, explain, screen)),
      ...fleet
        .filter(hasSeverity)
        .map((drift) => fleetBlock(drift, nodes, detailsOf(drift, explain), screen)),
    ]
  })
  const shown = screen.verbose ? ignored : []
  const accepted = shown.map(({ drift, reason }) => ignoredLine(drift, reason, screen))
  const more = screen.verbose ? '' : ' (--verbose lists them)'
  const ignoredCount =
    ignored.length > 0 ? [screen.paint('bold', `${ignored.length} ignored${more}`)] : []
  const parts = [
    ...(accepted.length > 0 ? [accepted.join('\n')] : []),
    ...blocks,
    [...ignoredCount, summaryText(drifts, nodes, screen)].join('\n'),
  ]
  return `${parts.join('\n\n')}\n`
}

/** By severity, the worst last; then by number of nodes, the most frequent last. */
function mostFrequentLast(a: Drift, b: Drift): number {
  const rank = ({ severity }: Drift) => severities.indexOf(severity)
  return rank(b) - rank(a) || (a.nodes?.length ?? 0) - (b.nodes?.length ?? 0)
}

/** All notes are one group. */
function groupKey({ id, severity, place, path }: Drift): string {
  if (severity === 'info') return severity
  return [severity, id, path.length > 0 ? place?.file : ''].join('\n')
}

/** Up to this many differences of a file, each gets its own block. */
const maxBlocksPerFile = 2

function groupsOf(drifts: readonly Drift[]): readonly (readonly Drift[])[] {
  return [...groupBy(drifts.toSorted(worstLast), groupKey).values()]
}

function groupText(group: readonly Drift[], explain: boolean, screen: Screen): string {
  const [first] = group
  if (!first) return ''
  if (first.severity === 'info' && !explain)
    return group.map((one) => findingOnOneLine(one, screen)).join('\n')
  if (group.length <= maxBlocksPerFile || explain)
    return group.map((drift) => findingBlock(drift, screen, detailsOf(drift, explain))).join('\n\n')
  const file = first.path.length > 0 ? oneLine(first.place?.file ?? '') : ''
  const what = `${group.length} ${file === '' ? 'files' : 'fields'}`
  const lines = group.flatMap((drift) =>
    file === '' ? fileLine(drift, screen) : fieldLines(drift, screen),
  )
  const details = sharedDetails(group).flatMap(([name, text]) => detailLines(name, text, screen))
  const head = headLines(first, file === '' ? what : `${file}, ${what}`, screen)
  return [...head, ...[...lines, ...details].map((line) => `  ${line}`)].join('\n')
}

function fileLine({ message }: Drift, { columns }: Screen): readonly string[] {
  return [cut(oneLine(message), columns - 2)]
}

/** On one line if it fits, and in a file or a pipe; otherwise as a diff, one value per line. */
function fieldLines({ path, was, should }: Drift, { paint, columns }: Screen): readonly string[] {
  const name = oneLine(formatPath(path))
  const [is, expected] = [textOf(was), textOf(should)]
  const line = `${name}: ${is} → ${expected}`
  if (widthOf(line) + 2 <= columns)
    return [`${name}: ${paint('red', is)} → ${paint('green', expected)}`]
  const part = (sign: string, text: string) => cut(`  ${sign} ${text}`, columns - 2)
  return [name, paint('red', part('-', is)), paint('green', part('+', expected))]
}

function textOf(value: Drift['was']): string {
  if (value === undefined) return 'missing'
  return oneLine(plainValue(value))
}

/** The distinct remedies of a group. */
function sharedDetails(group: readonly Drift[]): readonly Detail[] {
  const fixes = [...new Set(group.flatMap(({ remedy }) => remedy ?? []))]
  const general =
    fixes.length === 1 ? fixes : fixes.map((fix) => fix.replace(/, or set .* to this value\./, '.'))
  const needs = group.flatMap(({ need }) => need ?? [])
  return [
    ...[...new Set(general)].map((fix) => ['fix', fix] as const),
    ...(needs.length > 0 ? [['needs', needWords[largestNeed(needs)]] as const] : []),
  ]
}

const changedBy: Readonly<Record<Owner, string>> = {
  ours: 'in the profile, or in winnode',
  theirs: 'by hand',
  both: 'by hand, and in the profile or winnode',
}

function detailsOf(drift: Drift, explain: boolean): readonly Detail[] {
  const { remedy, need, why, see, owner, field, fieldFrom = 'decided' } = drift
  return detailsIn({
    fix: remedy,
    needs: need && needWords[need],
    ...(explain && {
      why,
      see,
      field: field && `${formatPath(field)} (${fieldFrom})`,
      changed: owner && changedBy[owner],
    }),
  })
}

/** The counts by severity, and the commands that fix all differences. */
function summaryText(drifts: readonly Drift[], nodes: readonly string[], screen: Screen): string {
  if (drifts.length === 0)
    return screen.paint(
      'bold',
      `no drift${nodes.length > 0 ? ` on ${nodeCount(nodes.length)}` : ''}`,
    )
  const byId = drifts.toSorted((a, b) => compareText(a.id, b.id))
  const counts = countsWithIds(byId).toReversed()
  const fixes = fixLines(drifts, nodes).map((line) => `to fix: ${line}`)
  return [...matchingNodesText(drifts, nodes), ...counts, ...fixes]
    .flatMap((line) => fold(oneLine(line), 0, screen.columns))
    .map((line) => screen.paint('bold', line))
    .join('\n')
}
