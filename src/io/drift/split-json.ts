// Splits a stream of text into JSON documents: concatenated, or the items of a list.

/** Maximum characters of a document, or between two; a report with logs has some hundred thousand. */
const longest = 64 * 1024 * 1024

export interface Piece {
  readonly text: string
  /** A complete document; otherwise other text between documents. */
  readonly whole: boolean
}

export interface Splitter {
  /** Returns the documents that are complete after this chunk. */
  readonly push: (text: string) => readonly Piece[]
  /** The remaining text at the end of the stream: an incomplete document, or other text. */
  readonly rest: () => string
}

/** Characters that matter between documents, in a string, and elsewhere in a document. */
const signs = { between: /\{/g, text: /["\\]/g, document: /["{}]/g }
/** Characters of invalid text that are quoted. */
const excerptLimit = 200

/** Scans each chunk once, however many chunks make a document. */
export function splitter(): Splitter {
  let depth = 0
  let quoted = false
  /** The last chunk ended in a backslash. */
  let escaped = false
  let held: string[] = []
  let length = 0
  let between = 0
  const hold = (text: string) => {
    length += text.length
    if (length > longest) throw new RangeError('a document is longer than 64 MiB')
    held.push(text)
  }
  const take = () => {
    const text = held.join('')
    held = []
    length = 0
    return text
  }
  const stray = () => foreign(take()).map((text): Piece => ({ text, whole: false }))
  return {
    push: (more) => {
      const pieces: Piece[] = []
      let from = 0
      let at = escaped ? 1 : 0
      escaped &&= more === ''
      for (;;) {
        const looked = depth === 0 ? signs.between : quoted ? signs.text : signs.document
        looked.lastIndex = at
        const sign = looked.exec(more)?.[0]
        if (sign === undefined) break
        at = looked.lastIndex
        if (sign === '\\') {
          at += 1
          escaped = at > more.length
          if (escaped) break
        } else if (sign === '"') quoted = !quoted
        else if (depth === 0) {
          hold(more.slice(from, at - 1))
          pieces.push(...stray())
          from = at - 1
          between = 0
          depth = 1
        } else if (sign === '{') depth += 1
        else if (depth > 1) depth -= 1
        else {
          hold(more.slice(from, at))
          pieces.push({ text: take(), whole: true })
          from = at
          depth = 0
        }
      }
      if (depth > 0) hold(more.slice(from))
      else {
        between += more.length - from
        if (between > longest) throw new RangeError('more than 64 MiB without a document')
        if (length < excerptLimit) hold(more.slice(from).trim().slice(0, excerptLimit))
      }
      return pieces
    },
    rest: () => (depth > 0 ? take() : (foreign(take())[0] ?? '')),
  }
}

/** Separators between documents are ignored. */
function foreign(text: string): readonly string[] {
  const begins = text.replace(/^[\s,[\]]+/, '').slice(0, excerptLimit)
  const rest = begins.replace(/[\s,[\]]+$/, '')
  return rest === '' ? [] : [rest]
}
