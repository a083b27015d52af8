// Splits a text into YAML documents, so that an error in one hides no other.

export interface Part {
  readonly text: string
  /** Lines of the file before the document. */
  readonly linesAbove: number
}

/** A comment can follow `---`, as in the output of Helm. Omits documents without content, such as directives. */
export function splitDocuments(text: string): readonly Part[] {
  const lines = text.split('\n')
  const ends = lines.flatMap((line, index) => (/^---(?:\s*|\s+#.*)$/.test(line) ? [index] : []))
  const starts = [0, ...ends.map((end) => end + 1)]
  return starts
    .map((start, index) => {
      const end = ends[index]
      const document = lines.slice(start, end ?? lines.length).join('\n')
      // Restores the final newline: without it, CRLF leaves a lone carriage return, which is reported as unprintable.
      return { linesAbove: start, text: end === undefined ? document : `${document}\n` }
    })
    .filter((part) => part.text.replace(/^(?:\s*#|%).*$/gm, '').trim() !== '')
}
