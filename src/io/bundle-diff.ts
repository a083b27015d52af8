// Bundle-diff: how the files of a bundle differ from those on the disk, in the form of `git diff`.
import { join } from 'node:path'
import type * as diff from 'diff'
import type { RenderedFile } from '../model/plan.ts'
import type { Change, FileChange } from './bundle/changes.ts'
import type { Disk } from './bundle/disk.ts'
import { realDisk } from './bundle/disk.ts'
import { readAtMost } from './bundle/held.ts'

export interface FileDiff extends FileChange {
  /** Ends in a newline; made of what the files hold, so print it with care. */
  readonly text: string
}

const nowhere = '/dev/null'

/** Where more differs, to look for what is left takes long; git, too, calls that a rewrite. */
const mostEdits = 1000

/** Stands for what is no text of a bundle. */
const large = Uint8Array.of(0)

/** What the change leaves of each side; changes without a row leave the file as it is. */
const sides: Readonly<Partial<Record<Change, { readonly old: boolean; readonly new: boolean }>>> = {
  create: { old: false, new: true },
  replace: { old: true, new: true },
  edited: { old: true, new: true },
  foreign: { old: true, new: true },
  remove: { old: true, new: false },
}

/** All of ours are plain files. */
const modes: Readonly<Partial<Record<Change, string>>> = {
  create: 'new file mode 100644\n',
  remove: 'deleted file mode 100644\n',
}

/** `changes` and `folder` are those of `planBundle`; of a new file there may be the name only. */
export async function diffBundle(
  files: readonly RenderedFile[],
  changes: readonly FileChange[],
  folder: string,
  whole: { readonly created: boolean },
  disk: Disk = realDisk,
): Promise<readonly FileDiff[]> {
  const lib = await import('diff')
  const contents = new Map(files.map(({ path, content }) => [path, content]))
  return changes.flatMap(({ path, change }) => {
    const side = sides[change]
    if (!side) return []
    // As `git diff --summary` says it.
    if (change === 'create' && !whole.created)
      return [{ path, change, text: ` create mode 100644 ${path}\n` }]
    const before = side.old ? (readAtMost(disk, join(folder, path)) ?? large) : undefined
    const after = side.new ? contents.get(path) : undefined
    const names = [before ? `a/${path}` : nowhere, after ? `b/${path}` : nowhere] as const
    const texts = [textOf(before), textOf(after)] as const
    const body = inWords(texts, names) ?? inLines(lib, texts, names)
    const text = `diff --git a/${path} b/${path}\n${modes[change] ?? ''}${body}`
    return [{ path, change, text }]
  })
}

type Pair<T> = readonly [T, T]

/** A diff by lines says nothing about bytes, or about the ends of lines. */
function inWords([old, fresh]: Pair<string | undefined>, names: Pair<string>): string | undefined {
  const both = names.join(' and ')
  if (old === undefined || fresh === undefined) return `Binary files ${both} differ\n`
  const unix = (text: string) => text.replaceAll('\r\n', '\n')
  return old !== fresh && unix(old) === unix(fresh) ? `Line endings of ${both} differ\n` : undefined
}

function inLines(
  { formatPatch, structuredPatch }: typeof diff,
  [old = '', fresh = '']: Pair<string | undefined>,
  names: Pair<string>,
): string {
  const options = { context: 3, maxEditLength: mostEdits }
  const patch = structuredPatch(...names, old, fresh, undefined, undefined, options) ?? {
    oldFileName: names[0],
    newFileName: names[1],
    oldHeader: undefined,
    newHeader: undefined,
    hunks: [rewritten(signed('-', old), signed('+', fresh))],
  }
  const text = formatPatch(patch, {
    includeIndex: false,
    includeUnderline: false,
    includeFileHeaders: true,
  })
  return text.replace(hunkHead, (head) => head.replaceAll(/,1(?= )/g, ''))
}

/** Of one line, git says only where it is: xdiff/xutils.c, xdl_format_hunk_hdr. Lines of files have a sign first. */
const hunkHead = /(?<=\n)@@ -\d\S* \+\d\S* @@(?=\n)/g

/** All of the old lines, and all of the new ones. */
function rewritten(old: Signed, fresh: Signed) {
  return {
    oldStart: 1,
    oldLines: old.count,
    newStart: 1,
    newLines: fresh.count,
    lines: [...old.lines, ...fresh.lines],
  }
}

type Signed = ReturnType<typeof signed>

function signed(sign: '-' | '+', text: string) {
  const ended = text === '' || text.endsWith('\n')
  const lines = text.split('\n').slice(0, ended ? -1 : undefined)
  const marks = ended ? [] : ['\\ No newline at end of file']
  return { count: lines.length, lines: [...lines.map((line) => sign + line), ...marks] }
}

/** `undefined` for what is no text. */
function textOf(content: Uint8Array | undefined): string | undefined {
  if (!content) return ''
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
