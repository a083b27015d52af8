// Width: how many columns of a terminal a text takes.

/** Half-width forms of Katakana and Hangul are as narrow as they are called. */
const narrow = /[\uff61-\uffdc]/u
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u
/** Vowels and finals of a syllable that is written apart stand in the column of its first. */
const none = /[\p{Mark}\u1160-\u11ff]/u

/** Nearly every text: ASCII, Latin letters, quotation marks and dashes; each of its characters takes one. */
const plain = /^[ -~\u00a0-\u02ff\u2010-\u2027]*$/

export function widthOf(text: string): number {
  if (plain.test(text)) return text.length
  let width = 0
  for (const character of text) width += columnsOf(character)
  return width
}

function columnsOf(character: string): number {
  if (none.test(character)) return 0
  return wide.test(character) && !narrow.test(character) ? 2 : 1
}
