// Large output in chunks: generated while it is written, so memory never holds all of it.

export type Chunks = string | Iterable<string>

/** Characters per write. */
const enough = 64 * 1024

/** Joins small chunks to few large ones. */
export function* joinChunks(chunks: Chunks): Generator<string> {
  if (typeof chunks === 'string') {
    yield chunks
    return
  }
  let text = ''
  for (const chunk of chunks) {
    text += chunk
    if (text.length < enough) continue
    yield text
    text = ''
  }
  yield text
}
