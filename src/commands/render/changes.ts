// What render prints of decisions, changed files and conflicts.
import type { FileChange } from '../../io/bundle/plan-changes.ts'
import { below } from '../../io/native-path.ts'
import type { DriftId } from '../../model/drift-kinds.ts'
import type { Finding } from '../../model/finding.ts'
import { groupBy } from '../../model/group-by.ts'
import { nearest } from '../../text/nearest.ts'
import type { Plan, RenderedFile } from '../../model/plan.ts'
import { oneLine } from '../../present/one-line.ts'
import type { Screen } from '../../present/screen.ts'
import { table } from '../../present/table.ts'
import { Failure } from '../failure.ts'
import type { RenderRequest } from './request.ts'

const conflictWords = {
  edited: { why: 'was modified by hand', help: 'use --force to overwrite it' },
  foreign: { why: 'was not written by winnode', help: 'use --force to overwrite it' },
  blocked: { why: 'is in the way', help: 'move it away' },
} as const

function isConflict(change: string): change is keyof typeof conflictWords {
  return Object.hasOwn(conflictWords, change)
}

/** Files that prevent writing, a line each. */
export function conflictLines(out: string, conflicts: readonly FileChange[]): readonly string[] {
  return conflicts.flatMap(({ path, change }) => {
    if (!isConflict(change)) return []
    const { why, help } = conflictWords[change]
    return oneLine(`${below(out, path)} ${why}; ${help}`)
  })
}

interface Difference {
  readonly id: DriftId
  readonly what: string
  readonly remedy: string
}

const again = 'Render it again.'
const conflict = (change: keyof typeof conflictWords): Difference => {
  const { why, help } = conflictWords[change]
  return { id: 'file-edited', what: why, remedy: `Render it again: ${help}.` }
}

/** Files that are not as rendered, by the ids that drift has for them. */
const differences: Readonly<Partial<Record<FileChange['change'], Difference>>> = {
  create: { id: 'file-missing', what: 'is missing', remedy: again },
  replace: { id: 'file-outdated', what: 'is outdated', remedy: again },
  remove: { id: 'file-outdated', what: 'is no longer part of the bundle', remedy: again },
  edited: conflict('edited'),
  foreign: conflict('foreign'),
  blocked: conflict('blocked'),
}

/** For --format. They are errors, because --check fails. */
export function changeFindings(out: string, changes: readonly FileChange[]): readonly Finding[] {
  return changes.flatMap(({ path, change }) => {
    const difference = differences[change]
    if (!difference) return []
    const { id, what, remedy } = difference
    const file = below(out, path)
    const place = { file, line: 1, column: 1 }
    return { id, severity: 'error', path: [], message: `${file} ${what}`, remedy, place }
  })
}

/** A table on a terminal; in a file or a pipe, one whole line for each: `kubelet: 1.36.6  (newest known patch of 1.36)`. */
export function decisionsText({ decisions }: Plan, screen: Screen): string {
  return screen.columns === Infinity
    ? decisions
        .map(({ subject, value, reason }) => `${oneLine(`${subject}: ${value}  (${reason})`)}\n`)
        .join('')
    : table(
        ['DECIDED', 'VALUE', 'WHY'],
        decisions.map(({ subject, value, reason }) => [subject, value, reason]),
        screen,
      )
}

/** With `force`, files that are in the way are overwritten. */
type How = Pick<RenderRequest, 'force'>

/** Of several bundles, each file has its folder. */
export function changesTable(
  changes: readonly FileChange[],
  screen: Screen,
  { out, several, force }: How & Pick<RenderRequest, 'out' | 'several'>,
): string {
  const rows = changes.map(({ path, change }) => [
    wordOf(change, { force }),
    several ? below(out, path) : path,
  ])
  return table(['CHANGE', 'FILE'], rows, screen)
}

const changeWords: Readonly<Record<FileChange['change'], string>> = {
  create: 'new',
  same: 'same',
  replace: 'changed',
  edited: 'edited',
  foreign: 'not from winnode',
  blocked: 'blocked',
  remove: 'removed',
  keep: 'kept',
}

function wordOf(change: FileChange['change'], { force }: How): string {
  return force && (change === 'edited' || change === 'foreign')
    ? 'overwritten'
    : changeWords[change]
}

export function countChanges(changes: readonly FileChange[], how: How): string {
  const counts = groupBy(changes, ({ change }) => wordOf(change, how))
  return [...counts].map(([word, { length }]) => `${length} ${word}`).join(', ')
}

/** The file of --only; throws a usage failure with a suggestion. */
export function fileOfBundle(typed: string, files: readonly RenderedFile[]): RenderedFile {
  const file = files.find(({ path }) => path === typed)
  if (file) return file
  const names = files.map(({ path }) => path)
  const guess = suggestedFile(typed, names)
  throw new Failure('usage', `the bundle has no file ${typed}`, [
    guess === undefined ? `it has: ${names.join(', ')}` : `did you mean ${guess}?`,
  ])
}

/** The nearest path, or the path whose base name is nearest. */
function suggestedFile(typed: string, names: readonly string[]): string | undefined {
  const base = (path: string) => path.slice(path.lastIndexOf('/') + 1)
  const meant = nearest(base(typed), names.map(base))
  return nearest(typed, names) ?? names.find((name) => base(name) === meant)
}
