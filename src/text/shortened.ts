// Shortened: a text of any length as one that a person reads, with what is left out counted.

/** Longer than any message that we write ourselves: what goes is of a value. */
const most = 600

/** What it is about stands at the beginning, and what is wrong at the end. */
export function shortened(text: string, room = most): string {
  if (text.length <= room) return text
  const end = Math.floor(room / 4)
  const [head, tail] = [text.slice(0, room - end), text.slice(-end)]
  // Not through the middle of a character.
  const [first, last] = [head.replace(/[\ud800-\udbff]$/, ''), tail.replace(/^[\udc00-\udfff]/, '')]
  return `${first}… (${text.length - first.length - last.length} characters more) …${last}`
}
