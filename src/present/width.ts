// Width: how many columns of a terminal a text takes.

/** Nearly every text: ASCII, Latin letters, quotation marks and dashes; each of its characters takes one. */
const plain = /^[ -~\u00a0-\u02ff\u2010-\u2027]*$/

export function widthOf(text: string): number {
  if (plain.test(text)) return text.length
  kinds ??= readKinds()
  let width = 0
  for (const character of text) width += columnsOf(character, kinds)
  return width
}

function columnsOf(character: string, { none, narrow, wide }: Kinds): number {
  if (none.test(character)) return 0
  return wide.test(character) && !narrow.test(character) ? 2 : 1
}

type Kinds = ReturnType<typeof readKinds>
let kinds: Kinds | undefined

/** Only where a text has such characters: V8 takes a millisecond to look up what belongs to a script. */
function readKinds() {
  return {
    /** Vowels and finals of a syllable that is written apart stand in the column of its first. */
    none: /[\p{Mark}\u1160-\u11ff]/u,
    /** Half-width forms of Katakana and Hangul are as narrow as they are called. */
    narrow: /[\uff61-\uffdc]/u,
    wide: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u,
  }
}
