// Doctor: what is wrong with nodes, for a person: the cause, what shows it, and what mends it.
import type { Answer, Diagnosed } from '../doctor/diagnose.ts'
import { nodeCount } from './fleet.ts'
import { code, linked, prose } from './formats/markdown-text.ts'
import { oneLine } from './one-line.ts'
import { type Detail, detail, headOf } from './pretty.ts'
import { columnsOf, type Screen } from './screen.ts'
import { fold } from './wrap.ts'

export interface Examined {
  /** What the node calls itself, else the file. */
  readonly node: string
  readonly answer: Answer
}

export interface Unread {
  readonly source: string
  readonly why: string
}

export interface ToldDoctor {
  readonly examined: readonly Examined[]
  readonly unread: readonly Unread[]
}

/** Lines of evidence that are shown of each. */
const shown = 3

export function prettyDoctor({ examined, unread }: ToldDoctor, screen: Screen): string {
  const { paint } = screen
  const blocks = examined.flatMap(({ node, answer }) => [
    // What is surest stands where a person looks first.
    ...answer.found.toReversed().map((one) => blockOf(one, node, screen)),
    ...unexplained(answer).map((text) => `${paint('bold', oneLine(node))}: ${oneLine(text)}`),
    ...blindness(answer).map((text) => paint('dim', `${oneLine(node)}: ${text}`)),
  ])
  const lost = unread.map(
    ({ source, why }) => `${oneLine(source)} could not be read: ${oneLine(why)}`,
  )
  const end = paint('bold', ending(examined))
  return `${[...blocks, ...lost, end].join('\n\n')}\n`
}

function blockOf({ diagnosis, evidence }: Diagnosed, node: string, screen: Screen): string {
  const { id, severity, cause, confidence, fix, see } = diagnosis
  const columns = columnsOf(screen)
  const more = evidence.length - shown
  const lines = [
    ...fold(oneLine(`${cause} (${confidence})`), 2, columns),
    ...evidence.slice(0, shown).flatMap((line) => fold(oneLine(`| ${line}`), 2, columns)),
    ...(more > 0 ? [`| and ${more} more`] : []),
    ...(
      [
        ['fix', fix],
        ['see', see],
      ] satisfies Detail[]
    ).flatMap(([name, text]) => detail(name, text, screen)),
  ]
  return [
    headOf({ id, severity }, oneLine(node), screen),
    ...lines.map((line) => `  ${line}`),
  ].join('\n')
}

function blindness({ missing, blind }: Answer): readonly string[] {
  if (blind === 0) return []
  return [`${blind} causes could not be looked for: there is no ${missing.join(', no ')}`]
}

function unexplained({ unexplained: lines }: Answer): readonly string[] {
  return lines.length > 0 ? [`no cause is known of: ${lines.join('; ')}`] : []
}

function ending(examined: readonly Examined[]): string {
  const ill = examined.filter(({ answer }) => answer.found.length > 0)
  const ids = [...new Set(ill.flatMap(({ answer }) => answer.found.map((one) => one.diagnosis.id)))]
  const well = `nothing found on ${nodeCount(examined.length - ill.length)}`
  if (ill.length === 0) return well
  return `${ill.length} of ${nodeCount(examined.length)}: ${ids.map(oneLine).join(', ')}`
}

export function markdownDoctor({ examined, unread }: ToldDoctor): string {
  const parts = examined.flatMap(({ node, answer }) => [
    `## ${prose(node)}`,
    ...(answer.found.length === 0 ? ['Nothing was found.'] : []),
    ...answer.found.map(({ diagnosis: { id, severity, cause, confidence, fix, see }, evidence }) =>
      [
        `**${severity}** ${linked(id, see)} (${confidence}): ${prose(cause)}`,
        '',
        ...evidence.map((line) => `- ${code(line)}`),
        '',
        `What to do: ${prose(fix)}`,
      ].join('\n'),
    ),
    ...[...unexplained(answer), ...blindness(answer)].map(prose),
  ])
  const lost = unread.map(({ source, why }) => `${code(source)} could not be read: ${prose(why)}`)
  return [...parts, ...lost].map((part) => `${part}\n`).join('\n')
}

/** As data for other programs, in the form of docs/doctor.schema.json. */
export function doctorJson({ examined, unread }: ToldDoctor): object {
  return {
    version: 1,
    nodes: examined.map(({ node, answer: { found, unexplained: rest, missing, blind } }) => ({
      node,
      found: found.map(
        ({ diagnosis: { id, severity, cause, confidence, fix, see }, evidence }) => ({
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
      notLookedFor: blind,
    })),
    unread,
  }
}
