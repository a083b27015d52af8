// Width: how many columns of a terminal a text takes.

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u
const none = /[\p{Mark}]/u

export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += columnsOf(character)
  return width
}

function columnsOf(character: string): number {
  if (none.test(character)) return 0
  return wide.test(character) ? 2 : 1
}
