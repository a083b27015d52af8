// Drift as text: differences grouped by file, and the commands that reconcile them.
import { type Drift, type Owner } from '../model/drift.ts'
import { compareText, severities, worstLast } from '../model/finding.ts'
import { mostOf, needWords } from '../model/need.ts'
import { formatPath } from '../model/path.ts'
import { oneLine } from './one-line.ts'
import { fleetBlock, needLines, nodeCount, standing } from './fleet.ts'
import { block, type Detail, detail, headOf, ignoredLine, shortOf } from './pretty.ts'
import { columnsOf, type Screen } from './screen.ts'
import { countWithIds } from './summary.ts'
import { cut, widthOf } from './width.ts'
import { fold } from './wrap.ts'

export interface ToldDrift {
  readonly drifts: readonly Drift[]
  /** Names of the nodes that could be read. */
  readonly nodes: readonly string[]
  /** What the profile or a baseline accepts. */
  readonly ignored: readonly { readonly drift: Drift; readonly reason: string }[]
  /** Adds the purpose of each field, and its source. */
  readonly explain: boolean
}

/** Without notes and ignored differences; empty if nothing else is left. */
export function briefDrift({ drifts, nodes, explain }: ToldDrift, screen: Screen): string {
  const worse = drifts.filter(({ severity }) => severity !== 'info')
  return worse.length === 0
    ? ''
    : prettyDrift({ drifts: worse, nodes, ignored: [], explain }, screen)
}

/** Sorted like findings, the worst last, with the counts below. Ends in a newline. */
export function prettyDrift(
  { drifts, nodes, ignored, explain }: ToldDrift,
  screen: Screen,
): string {
  const bundles = drifts.filter((drift) => !drift.nodes)
  const fleet = drifts.filter((drift) => drift.nodes).toSorted(rarestFirst)
  // The worst comes last over all groups: unreadable evidence belongs to no node, and is worse than a warning of a node.
  const blocks = severities.toReversed().flatMap((severity) => {
    const isSo = (drift: Drift | undefined) => drift?.severity === severity
    return [
      ...groupsOf(bundles.filter(isSo)).map((group) => groupText(group, explain, screen)),
      ...fleet
        .filter(isSo)
        .map((drift) => fleetBlock(drift, nodes, detailsOf(drift, explain), screen)),
    ]
  })
  const shown = screen.verbose ? ignored : []
  const accepted = shown.map(({ drift, reason }) => ignoredLine(drift, reason, screen))
  const more = screen.verbose ? '' : ' (--verbose lists them)'
  const left = ignored.length > 0 ? [screen.paint('bold', `${ignored.length} ignored${more}`)] : []
  const parts = [
    ...(accepted.length > 0 ? [accepted.join('\n')] : []),
    ...blocks,
    [...left, ending(drifts, nodes, screen)].join('\n'),
  ]
  return `${parts.join('\n\n')}\n`
}

/** Sorted like findings: the worst last; of equal severity, the one on most nodes last. */
function rarestFirst(a: Drift, b: Drift): number {
  const rank = ({ severity }: Drift) => severities.indexOf(severity)
  return rank(b) - rank(a) || (a.nodes?.length ?? 0) - (b.nodes?.length ?? 0)
}

/** All notes are one group. */
function kindOf({ id, severity, place, path }: Drift): string {
  if (severity === 'info') return severity
  return [severity, id, path.length > 0 ? place?.file : ''].join('\n')
}

/** Up to this many differences of a file, each gets its own block. */
const few = 2

function groupsOf(drifts: readonly Drift[]): readonly (readonly Drift[])[] {
  const groups = new Map<string, Drift[]>()
  for (const drift of drifts.toSorted(worstLast)) {
    const key = kindOf(drift)
    const group = groups.get(key) ?? []
    group.push(drift)
    groups.set(key, group)
  }
  return [...groups.values()]
}

function groupText(group: readonly Drift[], explain: boolean, screen: Screen): string {
  const [first] = group
  if (!first) return ''
  if (first.severity === 'info' && !explain)
    return group.map((one) => shortOf(one, screen)).join('\n')
  if (group.length <= few || explain)
    return group.map((drift) => block(drift, screen, detailsOf(drift, explain))).join('\n\n')
  const file = first.path.length > 0 ? oneLine(first.place?.file ?? '') : ''
  const what = `${group.length} ${file === '' ? 'files' : 'fields'}`
  const lines = group.flatMap((drift) =>
    file === '' ? fileLine(drift, screen) : fieldLines(drift, screen),
  )
  const said = shared(group).flatMap(([name, text]) => detail(name, text, screen))
  const head = headOf(first, file === '' ? what : `${file}, ${what}`, screen)
  return [...head, ...[...lines, ...said].map((line) => `  ${line}`)].join('\n')
}

function fileLine({ message }: Drift, screen: Screen): readonly string[] {
  return [cut(oneLine(message), columnsOf(screen) - 2)]
}

/** On one line if it fits; otherwise as a diff, one value per line. */
function fieldLines({ path, was, should }: Drift, screen: Screen): readonly string[] {
  const { paint } = screen
  const name = oneLine(formatPath(path))
  const [is, wanted] = [textOf(was), textOf(should)]
  const line = `${name}: ${is} → ${wanted}`
  if (widthOf(line) + 2 <= columnsOf(screen))
    return [`${name}: ${paint('red', is)} → ${paint('green', wanted)}`]
  const part = (sign: string, text: string) => cut(`  ${sign} ${text}`, columnsOf(screen) - 2)
  return [name, paint('red', part('-', is)), paint('green', part('+', wanted))]
}

function textOf(value: Drift['was']): string {
  if (value === undefined) return 'missing'
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value))
}

/** The distinct remedies of a group. */
function shared(group: readonly Drift[]): readonly Detail[] {
  const fixes = [...new Set(group.flatMap(({ remedy }) => remedy ?? []))]
  const general = fixes.length === 1 ? fixes : fixes.map((fix) => fix.replace(/, or let .*/, '.'))
  const needs = group.flatMap(({ need }) => need ?? [])
  return [
    ...[...new Set(general)].map((fix) => ['fix', fix] as const),
    ...(needs.length > 0 ? [['needs', needWords[mostOf(needs)]] as const] : []),
  ]
}

const owners: Readonly<Record<Owner, string>> = {
  ours: 'in the profile, or in winnode',
  theirs: 'by hand',
  both: 'by hand, and in the profile or winnode',
}

function detailsOf(drift: Drift, explain: boolean): readonly Detail[] {
  const { remedy, need, why, see, owner, field, fieldFrom = 'decided' } = drift
  const more: readonly (readonly [string, string | undefined])[] = [
    ['why', why],
    ['see', see],
    ['field', field && `${formatPath(field)} (${fieldFrom})`],
    ['changed', owner && owners[owner]],
  ]
  const all: readonly (readonly [string, string | undefined])[] = [
    ['fix', remedy],
    ['needs', need && needWords[need]],
    ...(explain ? more : []),
  ]
  return all.flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const]))
}

/** The counts by severity, and the commands that fix all differences. */
function ending(drifts: readonly Drift[], nodes: readonly string[], screen: Screen): string {
  if (drifts.length === 0)
    return screen.paint(
      'bold',
      `no drift${nodes.length > 0 ? ` on ${nodeCount(nodes.length)}` : ''}`,
    )
  const counts = severities
    .toReversed()
    .map((severity) => ({ severity, some: drifts.filter((drift) => drift.severity === severity) }))
    .filter(({ some }) => some.length > 0)
    .map(({ severity, some }) =>
      countWithIds(
        severity,
        some.toSorted((a, b) => compareText(a.id, b.id)),
      ),
    )
  const fixes = needLines(drifts, nodes).map((line) => `to fix: ${line}`)
  return [...standing(drifts, nodes), ...counts, ...fixes]
    .flatMap((line) => fold(oneLine(line), 0, columnsOf(screen)))
    .map((line) => screen.paint('bold', line))
    .join('\n')
}
