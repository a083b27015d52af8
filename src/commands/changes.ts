// Changes: what render says of the files of a bundle, and of what it decided.
import type { FileChange } from '../io/bundle/survey.ts'
import { below } from '../io/shown-path.ts'
import { nearest } from '../model/nearest.ts'
import type { Plan, RenderedFile } from '../model/plan.ts'
import { printable } from '../model/printable.ts'
import type { Screen } from '../present/screen.ts'
import { table } from '../present/table.ts'
import { Failure } from './failure.ts'

const standing = {
  edited: { why: 'was edited', help: '--force overwrites it' },
  foreign: { why: 'is not ours', help: '--force overwrites it' },
  blocked: { why: 'is in the way', help: 'move it away' },
} as const

function isStanding(change: string): change is keyof typeof standing {
  return Object.hasOwn(standing, change)
}

/** What stands in the way of writing, a line each. */
export function inTheWay(out: string, conflicts: readonly FileChange[]): readonly string[] {
  return conflicts.flatMap(({ path, change }) => {
    if (!isStanding(change)) return []
    const { why, help } = standing[change]
    return printable(`${below(out, path)} ${why}; ${help}`)
  })
}

export function decidedAndChanged(
  plan: Plan,
  changes: readonly FileChange[],
  screen: Screen,
): string {
  const decided = table(
    ['DECIDED', 'VALUE', { prose: 'WHY' }],
    plan.decisions.map(({ subject, value, reason }) => [subject, value, reason]),
    screen,
  )
  const written = table(
    ['CHANGE', 'FILE'],
    changes.map(({ path, change }) => [words[change], path]),
    screen,
  )
  return `${decided}\n${written}`
}

const words: Readonly<Record<FileChange['change'], string>> = {
  create: 'new',
  same: 'same',
  replace: 'changed',
  edited: 'edited',
  foreign: 'not ours',
  blocked: 'blocked',
  remove: 'removed',
  keep: 'kept',
}

export function counts(changes: readonly FileChange[]): string {
  const kinds = [...new Set(changes.map(({ change }) => change))]
  return kinds
    .map((kind) => `${changes.filter(({ change }) => change === kind).length} ${words[kind]}`)
    .join(', ')
}

/** The file of a bundle that a person typed. */
export function fileNamed(typed: string, files: readonly RenderedFile[]): RenderedFile {
  const file = files.find(({ path }) => path === typed)
  if (file) return file
  const names = files.map(({ path }) => path)
  const guess = fileLike(typed, names)
  throw new Failure('usage', `the bundle has no file ${typed}`, [
    guess === undefined ? `it has: ${names.join(', ')}` : `did you mean ${guess}?`,
  ])
}

/** The file that was meant: by its own name, or by a name that is nearly the same. */
function fileLike(typed: string, names: readonly string[]): string | undefined {
  const base = (path: string) => path.slice(path.lastIndexOf('/') + 1)
  const meant = nearest(base(typed), names.map(base))
  return nearest(typed, names) ?? names.find((name) => base(name) === meant)
}
