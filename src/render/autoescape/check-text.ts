// Refuses characters that a template must not hold.
import type { Language } from '../languages.ts'
import { formatPlace } from './fail.ts'

interface TextRule {
  readonly pattern: RegExp
  readonly message: string
  readonly applies: (language: Language) => boolean
}

const always = (): boolean => true

const rules: readonly TextRule[] = [
  { pattern: /\r/, message: 'a carriage return; lines end in LF', applies: always },
  { pattern: /\ufeff/, message: 'a byte order mark', applies: always },
  {
    pattern: /[^\0-\x7f]/,
    message: 'a character outside ASCII, which Windows PowerShell 5.1 would misread',
    applies: (language) => language.ascii,
  },
]

export function checkText(source: string, name: string, language: Language): void {
  for (const { pattern, message, applies } of rules) {
    const index = applies(language) ? source.search(pattern) : -1
    if (index >= 0) throw new Error(`${formatPlace(name, positionAt(source, index))}: ${message}`)
  }
}

function positionAt(source: string, index: number): { line: number; column: number } {
  const before = source.slice(0, index).split('\n')
  return { line: before.length, column: before.at(-1)?.length ?? 0 }
}
