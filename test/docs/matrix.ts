// docs/matrix.md: which Windows, Kubernetes, containerd and network go together, and what refuses the rest.
import { containerdLines } from '../../src/matrix/containerd.ts'
import { kubernetesMinors } from '../../src/matrix/kubernetes.ts'
import { tablesDate } from '../../src/matrix/tables-date.ts'
import { windowsReleases } from '../../src/matrix/windows.ts'
import { code, page, table } from './markdown.ts'

/** One combination: the rules that refuse it, and those that warn of it. */
export interface Cell {
  readonly release: string
  readonly minor: string
  readonly line: string
  readonly network: string
  readonly join: string
  readonly refused: readonly string[]
  readonly warnings: readonly string[]
}

const letters: Readonly<Record<string, string>> = { overlay: 'O', l2bridge: 'B', transparent: 'T' }

export function matrixPage(cells: readonly Cell[]): string {
  const works = cells.filter(({ refused }) => refused.length === 0)
  const notes: string[] = []
  const sections = windowsReleases
    .filter(({ id }) => works.some(({ release }) => release === id))
    .toReversed()
    .flatMap(({ id, name }) => [
      `## ${name} (${code(id)})`,
      grid(
        cells.filter(({ release }) => release === id),
        usual(works),
        notes,
      ),
    ])
  const never = windowsReleases.filter(({ id }) => works.every(({ release }) => release !== id))
  return page([
    '# Which versions work together',
    `Each combination was compiled, as of ${tablesDate}; \`npm run golden\` generates this page. It assumes a machine with all updates, and the newest known patch of each line. Both ways to join give the same result.`,
    [
      '- `O`: flannel on an overlay network. `B`: flannel on l2bridge. `T`: Antrea, transparent.',
      '- **Bold**: no warnings besides the warnings of every bundle. Plain: it renders with warnings, such as an end of support or a pair that upstream did not test.',
      '- `–`: refused. The number links to the rules that refuse it.',
    ].join('\n'),
    ...sections,
    '## Refused in every combination',
    never
      .map(({ id, name }) => `- ${name} (${code(id)}): ${rulesOf(common(cells, id))}`)
      .join('\n'),
    '## Notes',
    notes.map((note, at) => `${at + 1}. ${note}`).join('\n'),
  ])
}

/** What warns of every cell that renders says nothing about one of them. */
function usual(works: readonly Cell[]): ReadonlySet<string> {
  const [first, ...rest] = works
  const always = first?.warnings.filter((id) => rest.every(({ warnings }) => warnings.includes(id)))
  return new Set(always)
}

function grid(cells: readonly Cell[], ignored: ReadonlySet<string>, notes: string[]): string {
  const lines = containerdLines.toReversed().map(({ line }) => line)
  const rows = kubernetesMinors.toReversed().map(({ minor }) => [
    minor,
    ...lines.map((line) =>
      text(
        cells.filter((cell) => cell.minor === minor && cell.line === line),
        ignored,
        notes,
      ),
    ),
  ])
  return table(['Kubernetes', ...lines.map((line) => `containerd ${line}`)], rows)
}

function text(cells: readonly Cell[], ignored: ReadonlySet<string>, notes: string[]): string {
  const works = cells.filter(({ refused }) => refused.length === 0)
  const isClean = ({ warnings }: Cell) => warnings.every((id) => ignored.has(id))
  const clean = lettersOf(works.filter(isClean))
  const others = lettersOf(works.filter((cell) => !isClean(cell)))
  const refused = cells.filter((cell) => cell.refused.length > 0)
  const mark = [...(clean === '' ? [] : [`**${clean}**`]), others].join(' ').trim() || '–'
  return refused.length === 0 ? mark : `${mark} ${noteOf(refused, mark === '–', notes)}`
}

function lettersOf(cells: readonly Cell[]): string {
  return unique(cells.map(({ network }) => letters[network] ?? network)).join('')
}

/** The number of the note about these; a new one where no cell before had the same. */
function noteOf(refused: readonly Cell[], all: boolean, notes: string[]): string {
  const why = unique(
    refused.map(
      (cell) => `${all ? '' : `${letters[cell.network] ?? ''}: `}${rulesOf(cell.refused)}`,
    ),
  )
  const shared = all ? [rulesOf(intersection(refused.map((cell) => cell.refused)))] : why
  const note = shared.join('; ')
  const known = notes.indexOf(note)
  return String(known === -1 ? notes.push(note) : known + 1)
}

function common(cells: readonly Cell[], id: string): readonly string[] {
  return intersection(cells.filter(({ release }) => release === id).map(({ refused }) => refused))
}

function intersection(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...rest] = lists
  return first.filter((id) => rest.every((list) => list.includes(id)))
}

function rulesOf(ids: readonly string[]): string {
  return ids.map((id) => `[${id}](rules.md#${id})`).join(', ')
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}
