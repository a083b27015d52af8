// Splits a text into YAML documents, so that an error in one hides no other.
import type { Place } from '../../model/finding.ts'

export interface Part {
  readonly text: string
  /** Lines of the file before the document. */
  readonly linesAbove: number
}

/** A place of the document, in the file. */
export function inFile({ linesAbove }: Part, place: Place): Place {
  return { ...place, line: place.line + linesAbove }
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
