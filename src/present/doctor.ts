// Doctor findings as text: cause, evidence and fix.
import { type DoctorResult, type Diagnosed, rank } from '../doctor/diagnose.ts'
import { namesOf, nodeCount, share } from './fleet.ts'
import { code, linked, prose } from './formats/markdown-text.ts'
import { oneLine } from './one-line.ts'
import { type Detail, detail, headOf } from './pretty.ts'
import { columnsOf, type Screen } from './screen.ts'
import { fold } from './wrap.ts'

export interface Examined {
  /** What the node calls itself, else the file. */
  readonly node: string
  readonly answer: DoctorResult
}

export interface Unread {
  readonly source: string
  readonly why: string
}

export interface ToldDoctor {
  readonly examined: readonly Examined[]
  readonly unread: readonly Unread[]
}

/** Most lines of evidence shown for one diagnosis. */
const shown = 3

export function prettyDoctor({ examined, unread }: ToldDoctor, screen: Screen): string {
  const folded = (lines: readonly string[]) =>
    lines.map((line) => fold(oneLine(line), 2, columnsOf(screen)).join('\n'))
  const blocks = [
    ...byCause(examined).map((cause) => blockOf(cause, examined.length, screen)),
    ...examined.flatMap((one) => puzzle(one, screen)),
    ...folded(unsaid(examined)).map((text) => screen.paint('dim', text)),
    ...folded(unread.map(({ source, why }) => `${source} could not be read: ${why}`)),
    ...folded([ending(examined)]).map((text) => screen.paint('bold', text)),
  ]
  return `${blocks.join('\n\n')}\n`
}

/** The problems only; empty if all nodes are healthy. */
export function briefDoctor({ examined, unread }: ToldDoctor, screen: Screen): string {
  const ill = examined.filter(({ answer }) => answer.found.length + answer.unexplained.length > 0)
  return ill.length + unread.length === 0 ? '' : prettyDoctor({ examined, unread }, screen)
}

/** One cause on several nodes, with the evidence of the first of them. */
interface Cause extends Diagnosed {
  readonly nodes: string[]
}

/** The most certain diagnosis last, next to the prompt; of equal certainty, the one on most nodes. */
function byCause(examined: readonly Examined[]): readonly Cause[] {
  const causes = new Map<string, Cause>()
  for (const { node, answer } of examined) {
    for (const one of answer.found) {
      const key = `${one.diagnosis.id} ${one.confidence}`
      const cause = causes.get(key) ?? { ...one, nodes: [] }
      cause.nodes.push(node)
      causes.set(key, cause)
    }
  }
  const all = [...causes.values()].toReversed()
  return all.toSorted((a, b) => rank(b) - rank(a) || a.nodes.length - b.nodes.length)
}

function blockOf({ diagnosis, evidence, confidence, nodes }: Cause, all: number, screen: Screen) {
  const { id, severity, cause, fix, see } = diagnosis
  const columns = columnsOf(screen)
  const more = evidence.length - shown
  const [first = '', ...others] = nodes
  const details: readonly Detail[] = [
    ...(others.length > 0 ? [['nodes', namesOf(nodes)] as const] : []),
    ['fix', fix],
    ['see', see],
  ]
  const lines = [
    ...fold(oneLine(`${cause} (${confidence})`), 2, columns),
    ...(others.length > 0 ? [oneLine(`on ${first}:`)] : []),
    ...evidence.slice(0, shown).flatMap((line) => shownLine(line, screen)),
    ...(more > 0 ? [`| and ${more} more`] : []),
    ...details.flatMap(([name, text]) => detail(name, text, screen)),
  ]
  const where = others.length > 0 ? share(nodes.length, all) : oneLine(first)
  const head = headOf({ id, severity }, where, screen)
  return [...head, ...lines.map((line) => `  ${line}`)].join('\n')
}

/** One line of the report, with its continuation lines below it. */
function shownLine(line: string, screen: Screen): readonly string[] {
  const [first = '', ...more] = fold(oneLine(line), 4, columnsOf(screen))
  return [`| ${first}`, ...more.map((text) => `  ${text}`)]
}

function puzzle({ node, answer }: Examined, screen: Screen): readonly string[] {
  if (answer.unexplained.length === 0) return []
  const lines = answer.unexplained.flatMap((line) => shownLine(line, screen))
  const head = screen.paint('bold', `${oneLine(node)}: unhealthy, cause unknown`)
  return [[head, ...lines.map((line) => `  ${line}`)].join('\n')]
}

/** Data that several reports lack, listed once. */
function unsaid(examined: readonly Examined[]): readonly string[] {
  const texts = new Map<string, string[]>()
  for (const { node, answer } of examined) {
    for (const text of missingParts(answer)) {
      const nodes = texts.get(text) ?? []
      nodes.push(node)
      texts.set(text, nodes)
    }
  }
  return Array.from(texts, ([text, nodes]) => `${namesOf(nodes)}: ${text}`)
}

function missingParts({ missing, skipped }: DoctorResult): readonly string[] {
  if (missing.length === 0) return []
  const causes = skipped > 0 ? `; ${skipped} causes were not checked` : ''
  return [`not in the report: ${missing.join(', ')}${causes}`]
}

function unexplained({ unexplained: lines }: DoctorResult): readonly string[] {
  return lines.length > 0 ? [`unhealthy, cause unknown: ${lines.join('; ')}`] : []
}

function ending(examined: readonly Examined[]): string {
  if (examined.length === 0) return 'no report could be read'
  const ill = examined.filter(({ answer }) => answer.found.length > 0)
  const puzzling = examined.filter(({ answer }) => answer.unexplained.length > 0)
  if (ill.length + puzzling.length === 0) return `nothing found on ${nodeCount(examined.length)}`
  const ids = [...new Set(ill.flatMap(({ answer }) => answer.found.map((one) => one.diagnosis.id)))]
  const counts = [
    ...(ill.length > 0
      ? [`${ill.length} of ${nodeCount(examined.length)}: ${ids.join(', ')}`]
      : []),
    ...(puzzling.length > 0
      ? [`${puzzling.length} of ${nodeCount(examined.length)}: unhealthy, cause unknown`]
      : []),
  ]
  return counts.join('; ')
}

export function markdownDoctor({ examined, unread }: ToldDoctor): string {
  const parts = examined.flatMap(({ node, answer }) => [
    `## ${prose(node)}`,
    ...(answer.found.length + answer.unexplained.length === 0 ? ['Nothing was found.'] : []),
    ...answer.found.map(({ diagnosis: { id, severity, cause, fix, see }, evidence, confidence }) =>
      [
        `**${severity}** ${linked(id, see)} (${confidence}): ${prose(cause)}`,
        '',
        ...evidence.map((line) => `- ${code(line)}`),
        '',
        `What to do: ${prose(fix)}`,
      ].join('\n'),
    ),
    ...[...unexplained(answer), ...missingParts(answer)].map(prose),
  ])
  const lost = unread.map(({ source, why }) => `${code(source)} could not be read: ${prose(why)}`)
  return [...parts, ...lost].map((part) => `${part}\n`).join('\n')
}

/** As JSON in the shape of docs/doctor.schema.json. */
export function doctorJson({ examined, unread }: ToldDoctor): object {
  return {
    version: 1,
    nodes: examined.map(({ node, answer: { found, unexplained: rest, missing, skipped } }) => ({
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
    unread,
  }
}
