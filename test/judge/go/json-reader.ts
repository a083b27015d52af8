// JSON with what JSON.parse loses: how a number is written, and keys that stand twice.

/** A number keeps its text: Go refuses 10.0 where it wants an integer. */
export class NumberText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Parsed =
  null | boolean | string | NumberText | readonly Parsed[] | { readonly [key: string]: Parsed }

export interface Document {
  readonly value: Parsed
  /** Keys that stand twice in one map; the last one counts. */
  readonly twice: readonly string[]
}

const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[[\]{}:,]/g

/** Throws where it is no JSON. */
export function readJson(text: string): Document {
  JSON.parse(text)
  const words = text.match(tokens) ?? []
  const twice: string[] = []
  let at = 0
  const value = (): Parsed => {
    const token = words[at++] ?? ''
    if (token === '{') return map()
    if (token === '[') return list()
    if (token.startsWith('"')) return JSON.parse(token) as string
    return /^[-\d]/.test(token) ? new NumberText(token) : (JSON.parse(token) as boolean | null)
  }
  const list = (): Parsed => {
    const items: Parsed[] = []
    while (words[at] !== ']') {
      items.push(value())
      if (words[at] === ',') at++
    }
    at++
    return items
  }
  const map = (): Parsed => {
    const entries = new Map<string, Parsed>()
    while (words[at] !== '}') {
      const key = JSON.parse(words[at++] ?? '') as string
      at++
      if (entries.has(key)) twice.push(key)
      entries.set(key, value())
      if (words[at] === ',') at++
    }
    at++
    return Object.fromEntries(entries)
  }
  return { value: value(), twice }
}

export function isMap(value: unknown): value is { readonly [key: string]: Parsed } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isNumber(value)
}

export function isNumber(value: unknown): value is NumberText {
  return value instanceof NumberText
}
