// Doctor findings as text: cause, evidence and fix.
import { type DoctorResult, type Diagnosed, rank } from '../doctor/diagnose.ts'
import { groupBy } from '../model/group-by.ts'
import { namesOf, nodeCount, nodeShare } from './fleet.ts'
import { code, linked, prose } from './formats/markdown-text.ts'
import { oneLine } from './one-line.ts'
import { detailLines, detailsIn, headLines } from './pretty.ts'
import type { Screen } from './screen.ts'
import { fold } from './wrap.ts'

interface ExaminedNode {
  /** The node name in the report, otherwise the file name. */
  readonly node: string
  readonly result: DoctorResult
}

export interface UnreadableFile {
  readonly source: string
  readonly why: string
}

export interface DoctorReport {
  readonly examined: readonly ExaminedNode[]
  readonly unreadable: readonly UnreadableFile[]
}

/** Most lines of evidence shown for one diagnosis. */
const maxEvidenceLines = 3

export function prettyDoctor({ examined, unreadable }: DoctorReport, screen: Screen): string {
  const folded = (lines: readonly string[]) =>
    lines.map((line) => fold(oneLine(line), 2, screen.columns).join('\n'))
  const blocks = [
    ...groupByDiagnosis(examined).map((cause) => blockOf(cause, examined.length, screen)),
    ...examined.flatMap((one) => unexplainedBlock(one, screen)),
    ...folded(missingByNodes(examined)).map((text) => screen.paint('dim', text)),
    ...folded(unreadable.map(({ source, why }) => `${source} could not be read: ${why}`)),
    ...folded([summaryText(examined)]).map((text) => screen.paint('bold', text)),
  ]
  return `${blocks.join('\n\n')}\n`
}

/** The problems only; empty if all nodes are healthy. */
export function briefDoctor({ examined, unreadable }: DoctorReport, screen: Screen): string {
  const unhealthy = examined.filter(
    ({ result }) => result.found.length + result.unexplained.length > 0,
  )
  return unhealthy.length + unreadable.length === 0
    ? ''
    : prettyDoctor({ examined, unreadable }, screen)
}

/** One diagnosis on several nodes, with the evidence from the first node. */
interface NodesByDiagnosis extends Diagnosed {
  readonly nodes: string[]
}

/** The most certain diagnosis last, next to the prompt; of equal certainty, the one on most nodes. */
function groupByDiagnosis(examined: readonly ExaminedNode[]): readonly NodesByDiagnosis[] {
  const causes = new Map<string, NodesByDiagnosis>()
  for (const { node, result } of examined) {
    for (const one of result.found) {
      const key = `${one.diagnosis.id} ${one.confidence}`
      const cause = causes.get(key) ?? { ...one, nodes: [] }
      cause.nodes.push(node)
      causes.set(key, cause)
    }
  }
  const all = [...causes.values()].toReversed()
  return all.toSorted((a, b) => rank(b) - rank(a) || a.nodes.length - b.nodes.length)
}

function blockOf(
  { diagnosis, evidence, confidence, nodes }: NodesByDiagnosis,
  all: number,
  screen: Screen,
) {
  const { id, severity, cause, fix, see } = diagnosis
  const more = evidence.length - maxEvidenceLines
  const [first = '', ...others] = nodes
  const details = detailsIn({ nodes: others.length > 0 ? namesOf(nodes) : undefined, fix, see })
  const lines = [
    ...fold(oneLine(`${cause} (${confidence})`), 2, screen.columns),
    ...(others.length > 0 ? [oneLine(`on ${first}:`)] : []),
    ...evidence.slice(0, maxEvidenceLines).flatMap((line) => evidenceLines(line, screen)),
    ...(more > 0 ? [`| and ${more} more`] : []),
    ...details.flatMap(([name, text]) => detailLines(name, text, screen)),
  ]
  const where = others.length > 0 ? nodeShare(nodes.length, all) : oneLine(first)
  const head = headLines({ id, severity }, where, screen)
  return [...head, ...lines.map((line) => `  ${line}`)].join('\n')
}

/** One line of the report, with its continuation lines below it. */
function evidenceLines(line: string, screen: Screen): readonly string[] {
  const [first = '', ...more] = fold(oneLine(line), 4, screen.columns)
  return [`| ${first}`, ...more.map((text) => `  ${text}`)]
}

function unexplainedBlock({ node, result }: ExaminedNode, screen: Screen): readonly string[] {
  if (result.unexplained.length === 0) return []
  const lines = result.unexplained.flatMap((line) => evidenceLines(line, screen))
  const head = screen.paint('bold', `${oneLine(node)}: unhealthy, cause unknown`)
  return [[head, ...lines.map((line) => `  ${line}`)].join('\n')]
}

/** Data that several reports lack, listed once. */
function missingByNodes(examined: readonly ExaminedNode[]): readonly string[] {
  const missing = examined.flatMap(({ node, result }) =>
    missingPartsText(result).map((text) => ({ node, text })),
  )
  return Array.from(
    groupBy(missing, ({ text }) => text),
    ([text, some]) => `${namesOf(some.map(({ node }) => node))}: ${text}`,
  )
}

function missingPartsText({ missing, skipped }: DoctorResult): readonly string[] {
  if (missing.length === 0) return []
  const causes = skipped > 0 ? `; ${skipped} causes were not checked` : ''
  return [`not in the report: ${missing.join(', ')}${causes}`]
}

function unexplainedText({ unexplained: lines }: DoctorResult): readonly string[] {
  return lines.length > 0 ? [`unhealthy, cause unknown: ${lines.join('; ')}`] : []
}

function summaryText(examined: readonly ExaminedNode[]): string {
  if (examined.length === 0) return 'no report could be read'
  const diagnosed = examined.filter(({ result }) => result.found.length > 0)
  const unexplained = examined.filter(({ result }) => result.unexplained.length > 0)
  if (diagnosed.length + unexplained.length === 0)
    return `nothing found on ${nodeCount(examined.length)}`
  const ids = [
    ...new Set(diagnosed.flatMap(({ result }) => result.found.map((one) => one.diagnosis.id))),
  ]
  const counts = [
    ...(diagnosed.length > 0
      ? [`${diagnosed.length} of ${nodeCount(examined.length)}: ${ids.join(', ')}`]
      : []),
    ...(unexplained.length > 0
      ? [`${unexplained.length} of ${nodeCount(examined.length)}: unhealthy, cause unknown`]
      : []),
  ]
  return counts.join('; ')
}

export function markdownDoctor({ examined, unreadable }: DoctorReport): string {
  const parts = examined.flatMap(({ node, result }) => [
    `## ${prose(node)}`,
    ...(result.found.length + result.unexplained.length === 0 ? ['Nothing was found.'] : []),
    ...result.found.map(({ diagnosis: { id, severity, cause, fix, see }, evidence, confidence }) =>
      [
        `**${severity}** ${linked(id, see)} (${confidence}): ${prose(cause)}`,
        '',
        ...evidence.map((line) => `- ${code(line)}`),
        '',
        `What to do: ${prose(fix)}`,
      ].join('\n'),
    ),
    ...[...unexplainedText(result), ...missingPartsText(result)].map(prose),
  ])
  return [...parts, ...unreadable.map(markdownUnreadable)].map((part) => `${part}\n`).join('\n')
}

export function markdownUnreadable({ source, why }: UnreadableFile): string {
  return `${code(source)} could not be read: ${prose(why)}`
}

/** As JSON in the shape of docs/doctor.schema.json. */
export function doctorJson({ examined, unreadable }: DoctorReport): object {
  return {
    version: 1,
    nodes: examined.map(({ node, result: { found, unexplained: rest, missing, skipped } }) => ({
      node,
      found: found.map(
        ({ diagnosis: { id, severity, cause, fix, see }, evidence, confidence }) => ({
          id,
          severity,
          confidence,
          cause,
          evidence,
          fix,
          see,
        }),
      ),
      unexplained: rest,
      missing,
      notLookedFor: skipped,
    })),
    unread: unreadable,
  }
}
