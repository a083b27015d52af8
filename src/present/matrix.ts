// The compatibility matrix as tables, with the rules behind each verdict.
import { windowsOf } from '../matrix/windows.ts'
import { compareFindings } from '../model/finding.ts'
import { rules } from '../rules/index.ts'
import type { Combination } from '../support/combinations.ts'
import { linked, prose } from './formats/markdown-text.ts'
import type { Screen } from './screen.ts'
import { table } from './table.ts'
import { widthOf } from './width.ts'
import { wrap } from './wrap.ts'

interface Section {
  readonly title: string
  /** Newest first. */
  readonly minors: readonly string[]
  readonly rows: readonly {
    readonly network: string
    readonly backend: string
    /** By minor. */
    readonly cells: ReadonlyMap<string, string>
  }[]
}

const heads = ['Network', 'Backend'] as const

interface Note {
  readonly id: string
  readonly text: string
  readonly see: string | undefined
}

/** One section per Windows release and containerd line; rules are numbered across all sections. */
export function matrixText(combinations: readonly Combination[], screen: Screen): string {
  const notes = notesOf(combinations)
  const tables = sectionsOf(combinations, notes).flatMap(({ title, minors, rows }) => [
    `${wrap('', title, screen.columns)}\n`,
    ...columnBlocks(minors, rows, screen.columns).map(
      (block) =>
        `${table(
          [...heads.map((head) => head.toUpperCase()), ...block],
          rows.map(({ network, backend, cells }) => [
            network,
            backend,
            ...block.map((minor) => cells.get(minor) ?? ''),
          ]),
          screen,
        )}\n`,
    ),
  ])
  const noteLines = notes.map(({ id, text }, at) =>
    wrap(`${String(at + 1).padStart(2)}  `, `${id}: ${text}`, screen.columns),
  )
  return [...tables, ...noteLines].join('').trimEnd() + '\n'
}

export function matrixMarkdown(combinations: readonly Combination[]): string {
  const notes = notesOf(combinations)
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const sections = sectionsOf(combinations, notes).flatMap(({ title, minors, rows }) => [
    `## ${prose(title)}`,
    [
      line([...heads, ...minors]),
      line([...heads, ...minors].map(() => '---')),
      ...rows.map(({ network, backend, cells }) =>
        line([prose(network), backend, ...minors.map((minor) => cells.get(minor) ?? '')]),
      ),
    ].join('\n'),
  ])
  const noteLines = notes.map(
    ({ id, text, see }, at) => `${at + 1}. ${linked(id, see)}: ${prose(text)}`,
  )
  return `${[...sections, noteLines.join('\n')].filter(Boolean).join('\n\n')}\n`
}

/** As many minors per table as fit the width of the screen. */
function columnBlocks(
  minors: readonly string[],
  rows: Section['rows'],
  columns: number,
): readonly (readonly string[])[] {
  const gap = 2
  const [network, backend] = heads
  const first =
    Math.max(...[network, ...rows.map((row) => row.network)].map(widthOf)) +
    gap +
    Math.max(...[backend, ...rows.map((row) => row.backend)].map(widthOf))
  const result: string[][] = []
  let remaining = 0
  for (const minor of minors) {
    const width = Math.max(
      ...[minor, ...rows.map(({ cells }) => cells.get(minor) ?? '')].map(widthOf),
    )
    const block = result.at(-1)
    if (block && gap + width <= remaining) block.push(minor)
    else {
      result.push([minor])
      remaining = columns - first
    }
    remaining -= gap + width
  }
  return result
}

function sectionsOf(
  combinations: readonly Combination[],
  notes: readonly Note[],
): readonly Section[] {
  const ids = notes.map(({ id }) => id)
  return unique(combinations.map(titleOf)).map((title) => {
    const members = combinations.filter((one) => titleOf(one) === title)
    return {
      title,
      minors: unique(members.map(({ kubernetes }) => kubernetes)),
      rows: firstOfEach(members, networkOf).map((first) => {
        const cells = members.filter((one) => networkOf(one) === networkOf(first))
        return {
          network: `${first.cni} ${first.mode}`,
          backend: first.backend,
          cells: new Map(cells.map((one) => [one.kubernetes, cellText(one, ids)])),
        }
      }),
    }
  })
}

/** Windows Server 2022 (ws2022), containerd 2.3.7 */
function titleOf({ windows, containerd }: Combination): string {
  return `${windowsOf(windows).name} (${windows}), containerd ${containerd}`
}

function networkOf({ cni, mode, backend }: Combination): string {
  return [cni, mode, backend].join(' ')
}

/** The verdict, and the numbers of its rules. */
function cellText({ verdict, findings }: Combination, ids: readonly string[]): string {
  const numbers = unique(findings.map(({ id }) => ids.indexOf(id) + 1)).toSorted((a, b) => a - b)
  return [verdict, ...numbers].join(' ')
}

/** Each rule once: its message, or its summary if its messages differ. */
function notesOf(combinations: readonly Combination[]): readonly Note[] {
  const findings = combinations.flatMap((one) => one.findings).toSorted(compareFindings)
  return unique(findings.map(({ id }) => id)).map((id) => {
    const same = findings.filter((finding) => finding.id === id)
    const [message = '', other] = unique(same.map((finding) => finding.message))
    const [see, another] = unique(same.map((finding) => finding.see))
    const rule = other === undefined ? undefined : rules.find((one) => one.id === id)
    return {
      id,
      text: rule ? `not met: ${rule.summary}` : message,
      see: another === undefined ? see : undefined,
    }
  })
}

function firstOfEach<T>(rows: readonly T[], nameOf: (row: T) => string): readonly T[] {
  return [...new Map(rows.toReversed().map((row) => [nameOf(row), row])).values()].toReversed()
}

function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)]
}
