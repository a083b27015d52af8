// Splits an unfinished command line into words, as a shell does.

export interface CommandLine {
  /** Complete words, without the program's name. */
  readonly before: readonly string[]
  /** The word at the cursor; empty after a blank. */
  readonly last: string
}

/** An unclosed quote extends to the end. */
const wordPattern = /(?:[^\s"']|"[^"]*(?:"|$)|'[^']*(?:'|$))+/g

export function splitCommandLine(line: string): CommandLine {
  const words = [...line.matchAll(wordPattern)].map(([text]) => text.replace(/["']/g, ''))
  const [, ...own] = words
  if (words.length > 1 && !/\s$/.test(line))
    return { before: own.slice(0, -1), last: own.at(-1) ?? '' }
  return { before: own, last: '' }
}
