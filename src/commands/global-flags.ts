// Global flags: what every command takes, before its name or behind it.

/** None of them takes a value. */
export const globalFlags: ReadonlySet<string> = new Set([
  '--json',
  '--quiet',
  '-q',
  '--verbose',
  '--no-color',
])

/** The same command line with global flags behind the words that they stand before. */
export function wordsFirst(argv: readonly string[]): readonly string[] {
  const own = argv.findIndex((word) => word.startsWith('-') && !globalFlags.has(word))
  const end = own === -1 ? argv.length : own
  const front = argv.slice(0, end)
  const words = front.filter((word) => !globalFlags.has(word))
  return [...words, ...front.filter((word) => globalFlags.has(word)), ...argv.slice(end)]
}
