// Split: a stream of text to its JSON documents, one behind another or as the items of a list.

/** Characters of one document; a report with its logs has some hundred thousand. */
const longest = 64 * 1024 * 1024

export interface Splitter {
  /** The texts of the documents that end in this part. */
  readonly push: (text: string) => readonly string[]
  /** What is left over at the end: blank, unless a document was cut off. */
  readonly rest: () => string
}

const marks = /["\\{}]/g

export function splitter(): Splitter {
  let text = ''
  let from = 0
  let depth = 0
  let quoted = false
  return {
    push: (more) => {
      const documents: string[] = []
      marks.lastIndex = text.length
      text += more
      for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
        const [sign] = mark
        if (sign === '\\') {
          // Its partner may come with the next part.
          marks.lastIndex += 1
          continue
        }
        if (sign === '"') quoted = !quoted
        if (quoted || sign === '"') continue
        if (sign === '{' && depth === 0) from = mark.index
        depth += sign === '{' ? 1 : -1
        if (depth === 0 && sign === '}') documents.push(text.slice(from, mark.index + 1))
        if (depth === 0) from = mark.index + 1
        depth = Math.max(0, depth)
      }
      if (depth === 0) from = Math.max(from, between(text, from))
      text = text.slice(from)
      from = 0
      if (text.length > longest) throw new RangeError('a document is longer than 64 MiB')
      return documents
    },
    rest: () => text.replace(/^[\s,[\]]+$/, ''),
  }
}

/** Skips what stands between documents. */
function between(text: string, from: number): number {
  const blank = /^[\s,[\]]*/.exec(text.slice(from))?.[0] ?? ''
  return from + blank.length
}
