// A unified diff of the rendered bundle against the files on disk; commands load it, and the library, when they need it.
import { isUtf8 } from 'node:buffer'
import { formatPatch, structuredPatch, type StructuredPatchHunk } from 'diff'
import type { RenderedFile } from '../model/plan.ts'
import type { Change, FileChange } from './bundle/plan-changes.ts'

interface FileDiff extends FileChange {
  /** Ends in a newline. It contains text of the files, so escape control characters before printing. */
  readonly text: string
}

const nowhere = '/dev/null'

/** Stands for a file that is too large to read; shown as binary. */
const large = Uint8Array.of(0)

/** Most changed lines: a larger diff takes seconds, so such a file is shown as replaced as a whole. */
const maxEditLength = 4000

/** Whether the old and the new file are in the diff; a change without a row has no diff. */
const sides: Readonly<Partial<Record<Change, { readonly old: boolean; readonly new: boolean }>>> = {
  create: { old: false, new: true },
  replace: { old: true, new: true },
  edited: { old: true, new: true },
  foreign: { old: true, new: true },
  remove: { old: true, new: false },
}

/** `changes` and `held` are the result of `planBundle`. New files are listed by name, or with content if `whole.created`. */
export function diffBundle(
  files: readonly RenderedFile[],
  changes: readonly FileChange[],
  held: ReadonlyMap<string, Uint8Array | undefined>,
  whole: { readonly created: boolean },
): readonly FileDiff[] {
  const contents = new Map(files.map(({ path, content }) => [path, content]))
  return changes.flatMap(({ path, change }) => {
    const side = sides[change]
    if (!side) return []
    // The format of `git diff --summary`.
    if (change === 'create' && !whole.created)
      return [{ path, change, text: ` create mode 100644 ${path}\n` }]
    const before = side.old ? (held.get(path) ?? large) : undefined
    const after = side.new ? contents.get(path) : undefined
    const names = [before ? `a/${path}` : nowhere, after ? `b/${path}` : nowhere] as const
    const text = textBetween(names, [textOf(before), textOf(after)], change)
    return [{ path, change, text }]
  })
}

/** The diff of one file; ends in a newline, empty if nothing changes. */
export function diffText(file: string, before: string, after: string): string {
  if (before === after) return ''
  return textBetween([`a/${file}`, `b/${file}`], [before, after], 'replace')
}

type Pair<T> = readonly [T, T]

function textBetween(
  names: Pair<string>,
  [old, fresh]: Pair<string | undefined>,
  change: Change,
): string {
  const both = names.join(' and ')
  // `git apply` skips such a line, and rejects a header without hunks.
  if (old === undefined || fresh === undefined) return `Binary files ${both} differ\n`
  // A line diff does not show line endings.
  const unix = (text: string) => text.replaceAll('\r\n', '\n')
  if (old !== fresh && unix(old) === unix(fresh)) return `Line endings of ${both} differ\n`
  return formatPatch({
    oldFileName: names[0],
    newFileName: names[1],
    oldHeader: undefined,
    newHeader: undefined,
    isGit: true,
    isCreate: change === 'create',
    isDelete: change === 'remove',
    hunks: hunksOf(old, fresh),
  })
}

function hunksOf(old: string, fresh: string): StructuredPatchHunk[] {
  const found = structuredPatch('', '', old, fresh, '', '', { context: 3, maxEditLength })
  if (found) return found.hunks
  const whole = [
    ...structuredPatch('', '', old, '').hunks,
    ...structuredPatch('', '', '', fresh).hunks,
  ]
  const [first, last] = [whole[0], whole.at(-1)]
  if (!first || !last) return []
  const lines = whole.flatMap((hunk) => hunk.lines)
  return [{ oldStart: 1, oldLines: first.oldLines, newStart: 1, newLines: last.newLines, lines }]
}

/** `undefined` for binary content. */
function textOf(content: Uint8Array | undefined): string | undefined {
  if (!content) return ''
  return isUtf8(content) && !content.includes(0) ? Buffer.from(content).toString() : undefined
}
