// What may become a literal at all: well-formed text, truth, and numbers that every reader keeps.

/** How one language writes text, and truth where it differs from `true` and `false`. */
interface Literals {
  readonly text: (text: string) => string
  readonly truth?: (value: boolean) => string
}

/** Writes a value as one whole literal, or throws a TypeError that says why it cannot. */
export type Quote = (value: unknown) => string

export function quoteWith({ text, truth = String }: Literals): Quote {
  return (value) => {
    if (typeof value === 'string') return text(checkText(value))
    if (typeof value === 'boolean') return truth(value)
    if (typeof value === 'number') return String(checkNumber(value))
    throw new TypeError(`must be text, a boolean or a whole number, not ${kindOf(value)}`)
  }
}

// With the flag `u` a surrogate matches only where its other half is missing.
const unwritable = [
  { pattern: /\0/u, name: 'NUL' },
  { pattern: /\p{Surrogate}/u, name: 'a lone surrogate' },
] as const

/** The text itself; throws for characters that some reader would drop or change. */
export function checkText(text: string): string {
  if (text.isWellFormed() && !text.includes('\0')) return text
  for (const { pattern, name } of unwritable) {
    const index = text.search(pattern)
    if (index >= 0) throw new TypeError(`holds ${name} at character ${index + 1}`)
  }
  return text
}

function checkNumber(value: number): number {
  if (Number.isSafeInteger(value)) return value
  throw new TypeError(`must be a whole number that every reader keeps, not ${value}`)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`
}
