// Pieces: text that may be large, made while it is written, so that no memory holds all of it.

export type Pieces = string | Iterable<string>

/** Characters that are written at once. */
const enough = 64 * 1024

/** Few large pieces in place of many small ones. */
export function* gathered(pieces: Pieces): Generator<string> {
  if (typeof pieces === 'string') {
    yield pieces
    return
  }
  let text = ''
  for (const piece of pieces) {
    text += piece
    if (text.length < enough) continue
    yield text
    text = ''
  }
  yield text
}
