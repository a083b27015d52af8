// Checks that a value can become a literal: well-formed text, a boolean, or a safe integer.

/** How a language writes text, and booleans other than `true` and `false`. */
interface Literals {
  readonly text: (text: string) => string
  readonly truth?: (value: boolean) => string
}

/** Writes a value as one complete literal; throws a TypeError where it cannot. */
export type Quote = (value: unknown) => string

export function quoteWith({ text, truth = String }: Literals): Quote {
  return (value) => {
    if (typeof value === 'string') return text(checkText(value))
    if (typeof value === 'boolean') return truth(value)
    if (typeof value === 'number') return String(checkNumber(value))
    throw new TypeError(`must be text, a boolean or a whole number, not ${kindOf(value)}`)
  }
}

// With the flag `u`, a surrogate matches only where it is unpaired.
const unwritable = [
  { pattern: /\0/u, name: 'NUL' },
  { pattern: /\p{Surrogate}/u, name: 'a lone surrogate' },
] as const

/** Returns the text; throws a TypeError for characters that some readers drop or change. */
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
