// The characters that a profile may contain, literally or as an escape.
import { unsafeText } from '../../model/unsafe.ts'
import type { ProblemId } from '../problems.ts'
import type { TextProblems } from '../text-problems.ts'

/** Characters that are not printable in YAML 1.2: section 5.1, `c-printable`. */
const unprintable = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|\r(?!\n)/gu

const replacementCharacter = '\ufffd'

/** Replaces unprintable characters, and reports each different one once, so that the rest can be parsed. */
export function replaceUnprintable(text: string, problems: TextProblems): string {
  const seen = new Set<string>()
  return text.replace(unprintable, (character, offset: number) => {
    if (!seen.has(character)) {
      problems.add(kindOf(character), { start: offset, end: offset + 1 }, codeOf(character))
    }
    seen.add(character)
    return replacementCharacter
  })
}

/** Why a value is rejected, or `undefined`. */
export function unsafeIn(value: string): ProblemId | undefined {
  const match = unsafeText.exec(value)
  return match ? kindOf(match[0]) : undefined
}

/** The value with a replacementCharacter for rejected text, so parsing can continue. */
export function withoutUnsafe(value: string): string {
  return value.replace(new RegExp(unsafeText, 'gu'), replacementCharacter)
}

function kindOf(character: string): ProblemId {
  if (character === '\0') return 'null-character'
  return /\p{Surrogate}/u.test(character) ? 'lone-surrogate' : 'control-character'
}

function codeOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}
