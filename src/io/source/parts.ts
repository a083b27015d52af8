// Splits a text into YAML documents, so that an error in one hides no other.

export interface Part {
  readonly part: string
  /** How many lines of the whole stand above it. */
  readonly above: number
}

/** A comment may follow `---`, as in the output of Helm. Parts without content are left out,
 * such as directives. */
export function partsOf(text: string): readonly Part[] {
  const lines = text.split('\n')
  const ends = lines.flatMap((line, index) => (/^---(?:\s*|\s+#.*)$/.test(line) ? [index] : []))
  const starts = [0, ...ends.map((end) => end + 1)]
  return starts
    .map((start, index) => {
      const end = ends[index]
      const part = lines.slice(start, end ?? lines.length).join('\n')
      // Its last line keeps its end: a carriage return alone ends none.
      return { above: start, part: end === undefined ? part : `${part}\n` }
    })
    .filter(({ part }) => part.replace(/^(?:\s*#|%).*$/gm, '').trim() !== '')
}
