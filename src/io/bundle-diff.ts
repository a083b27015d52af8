// Bundle-diff: how the files of a bundle differ from those on the disk, in the form of `git diff`.
import type { RenderedFile } from '../model/plan.ts'
import type { Change, FileChange } from './bundle/survey.ts'
import { editor } from './edits.ts'
import { hunksOf, linesOf } from './hunks.ts'

export interface FileDiff extends FileChange {
  /** Ends in a newline; made of what the files hold, so print it with care. */
  readonly text: string
}

const nowhere = '/dev/null'

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

/** `changes` and `held` are those of `planBundle`; of a new file there may be the name only. */
export async function diffBundle(
  files: readonly RenderedFile[],
  changes: readonly FileChange[],
  held: ReadonlyMap<string, Uint8Array | undefined>,
  whole: { readonly created: boolean },
): Promise<readonly FileDiff[]> {
  const edits = await editor()
  const contents = new Map(files.map(({ path, content }) => [path, content]))
  return changes.flatMap(({ path, change }) => {
    const side = sides[change]
    if (!side) return []
    // As `git diff --summary` says it.
    if (change === 'create' && !whole.created)
      return [{ path, change, text: ` create mode 100644 ${quoted(path)}\n` }]
    const before = side.old ? (held.get(path) ?? large) : undefined
    const after = side.new ? contents.get(path) : undefined
    const both = [quoted(`a/${path}`), quoted(`b/${path}`)] as const
    const names = [before ? both[0] : nowhere, after ? both[1] : nowhere] as const
    const texts = [textOf(before), textOf(after)] as const
    const body = inWords(texts, names) ?? inLines(edits, texts, names)
    const text = `diff --git ${both.join(' ')}\n${modes[change] ?? ''}${body}`
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
  edits: Awaited<ReturnType<typeof editor>>,
  texts: Pair<string | undefined>,
  names: Pair<string>,
): string {
  const [old, fresh] = [linesOf(texts[0] ?? ''), linesOf(texts[1] ?? '')]
  const hunks = hunksOf(old, fresh, edits(old, fresh))
  const [from, to] = names.map((name) => (name.includes(' ') ? `${name}\t` : name))
  return hunks === '' ? '' : `--- ${from}\n+++ ${to}\n${hunks}`
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

const letters: Readonly<Record<string, string>> = {
  '\u0007': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\u000b': 'v',
  '\f': 'f',
  '\r': 'r',
  '"': '"',
  '\\': '\\',
}

/** As git writes a name that is not plain ASCII: quote.c, quote_c_style. */
function quoted(name: string): string {
  const text = name.replaceAll(/["\\]|[^ -~]/gu, (character) => {
    const letter = letters[character]
    if (letter !== undefined) return `\\${letter}`
    const bytes = [...new TextEncoder().encode(character)]
    return bytes.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
  })
  return text === name ? name : `"${text}"`
}
