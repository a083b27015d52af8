// Numbers with a fraction as Go reads them.
// https://pkg.go.dev/strconv#ParseFloat

/** ParseFloat with 32 bits, without hexadecimal ones; what is beyond them is no number. */
export function parseFloating(text: string): number | undefined {
  if (/^nan$/i.test(text)) return NaN
  if (/^[-+]?inf(?:inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  if (!/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(text)) return undefined
  const rounded = Math.fround(Number(text))
  return Number.isFinite(rounded) ? rounded : undefined
}

/**
 * The number before percent signs, such as 12.5 of `12.5%`: parsePercentage takes any number of signs, and NaN.
 * https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/eviction/helpers.go
 */
export function parsePercentage(text: string): number | undefined {
  if (!text.endsWith('%')) return undefined
  const written = text.replace(/%+$/, '')
  const number = parseFloating(written)
  // As written, not as a float32, whose digits would show.
  return Number.isFinite(number) ? Number(written) : number
}
