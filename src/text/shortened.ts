// Truncates a long text in the middle, with the number of characters left out.

/** Longer than any message of winnode, so only values are truncated. */
export const maxLength = 600

/** Keeps the start, which has the subject, and the end, which has the fault. */
export function truncateMiddle(text: string, room = maxLength): string {
  if (text.length <= room) return text
  const end = Math.floor(room / 4)
  const [head, tail] = [text.slice(0, room - end), text.slice(-end)]
  // Do not cut between the halves of a surrogate pair.
  const [first, last] = [head.replace(/[\ud800-\udbff]$/, ''), tail.replace(/^[\udc00-\udfff]/, '')]
  return `${first}… (${text.length - first.length - last.length} characters more) …${last}`
}
