// Durations as Go writes them: 90s, 1m30s.

const milliseconds: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}

/** In milliseconds; `undefined` where the text is no duration. */
export function parseDuration(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ns|us|ms|[smh]))+$/.test(text)) return undefined
  const parts = [...text.matchAll(/([\d.]+)([a-z]+)/g)]
  return parts.reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (milliseconds[unit] ?? 0),
    0,
  )
}
