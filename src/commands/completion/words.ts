// Words: a command line that is still being typed, as a shell would take it apart.

export interface Typed {
  /** Those that are complete, without the program’s own. */
  readonly before: readonly string[]
  /** The last one; empty after a blank. */
  readonly last: string
}

/** A quote that is not closed yet reaches to the end. */
const word = /(?:[^\s"']|"[^"]*(?:"|$)|'[^']*(?:'|$))+/g

export function typedWords(line: string): Typed {
  const words = [...line.matchAll(word)].map(([text]) => text.replace(/["']/g, ''))
  const [, ...own] = words
  if (words.length > 1 && !/\s$/.test(line))
    return { before: own.slice(0, -1), last: own.at(-1) ?? '' }
  return { before: own, last: '' }
}
