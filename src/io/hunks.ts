// Hunks: the edits of a text with the lines around them, as git writes them.
import type { Edit } from './edits.ts'

type Lines = readonly string[]

/** Lines around an edit. */
const context = 3

/** Lines end in their newline, the last one perhaps not. Absent text is no line at all. */
export function hunksOf(old: Lines, fresh: Lines, edits: readonly Edit[]): string {
  let section = ''
  let searched = 0
  const hunks = groupsOf(edits).map((group) => {
    const start = startOf(group)
    section = headAmong(old.slice(searched, start)) ?? section
    searched = start
    return hunkOf(old, fresh, group, section)
  })
  return hunks.join('')
}

function startOf([first]: readonly Edit[]): number {
  return Math.max((first?.old.at ?? 0) - context, 0)
}

export function linesOf(text: string): Lines {
  return text === '' ? [] : text.split(/(?<=\n)/)
}

/** Edits whose contexts touch. */
function groupsOf(edits: readonly Edit[]): readonly (readonly Edit[])[] {
  const groups: Edit[][] = []
  let end = -Infinity
  for (const edit of edits) {
    if (edit.old.at - end <= 2 * context) groups.at(-1)?.push(edit)
    else groups.push([edit])
    end = edit.old.at + edit.old.count
  }
  return groups
}

function hunkOf(old: Lines, fresh: Lines, edits: readonly Edit[], section: string): string {
  const [first, last] = [edits[0], edits.at(-1)]
  if (!first || !last) return ''
  const start = startOf(edits)
  const end = Math.min(last.old.at + last.old.count + context, old.length)
  const lines: string[] = []
  const put = (sign: string, some: Lines) => {
    for (const line of some) lines.push(sign + line)
  }
  let at = start
  for (const { old: gone, fresh: come } of edits) {
    put(' ', old.slice(at, gone.at))
    put('-', old.slice(gone.at, gone.at + gone.count))
    put('+', fresh.slice(come.at, come.at + come.count))
    at = gone.at + gone.count
  }
  put(' ', old.slice(at, end))
  const freshStart = first.fresh.at - (first.old.at - start)
  const freshEnd = last.fresh.at + last.fresh.count + (end - last.old.at - last.old.count)
  const places = `-${rangeOf(start, end)} +${rangeOf(freshStart, freshEnd)}`
  return `@@ ${places} @@${section}\n${lines.map(ended).join('')}`
}

/** Of one line, git says only where it is; of none, what is before: xdiff/xutils.c, xdl_format_hunk_hdr. */
function rangeOf(start: number, end: number): string {
  const count = end - start
  return `${count === 0 ? start : start + 1}${count === 1 ? '' : `,${count}`}`
}

/** The last line that looks like the head of a section: xdiff/xemit.c, def_ff. */
function headAmong(lines: Lines): string | undefined {
  const head = lines.findLast((line) => /^[a-z_$]/i.test(line))
  return head && ` ${head.slice(0, longest).trimEnd()}`
}

const longest = 80

function ended(line: string): string {
  return line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`
}
