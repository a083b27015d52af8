// Durations as Go reads them.
// https://pkg.go.dev/time#ParseDuration

const nanoseconds: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
}

/** Made of the table: Bun escapes what is not ASCII in a literal, and the JSON Schema shows the source. */
export const durationPattern = new RegExp(
  String.raw`^[-+]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:${Object.keys(nanoseconds).join('|')}))+)$`,
)

/** In nanoseconds; `undefined` for what is none. */
export function parseDuration(text: string): number | undefined {
  const [, sign = '', rest = ''] = /^([-+]?)(.*)$/su.exec(text) ?? []
  if (rest === '0') return 0
  let left = rest
  let sum = 0
  while (left !== '') {
    const [part, amount = '', unit = ''] = /^(\d+(?:\.\d*)?|\.\d+)([^\d.]+)/u.exec(left) ?? []
    const size = Object.hasOwn(nanoseconds, unit) ? nanoseconds[unit] : undefined
    if (part === undefined || size === undefined) return undefined
    sum += Number(amount) * size
    left = left.slice(part.length)
  }
  // An int64 of nanoseconds ends after some 292 years.
  if (rest === '' || sum > 2 ** 63) return undefined
  return sign === '-' ? -Math.trunc(sum) : Math.trunc(sum)
}
