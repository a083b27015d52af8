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
