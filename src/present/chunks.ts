// Large output in chunks: generated while it is written, so memory never holds all of it.

export type Chunks = string | Iterable<string>

/** Characters per write. */
const chunkSize = 64 * 1024

/** Joins small chunks into few large ones, because each write has a cost. */
export function* joinChunks(chunks: Chunks): Generator<string> {
  if (typeof chunks === 'string') {
    yield chunks
    return
  }
  let buffer = ''
  for (const chunk of chunks) {
    buffer += chunk
    if (buffer.length < chunkSize) continue
    yield buffer
    buffer = ''
  }
  yield buffer
}
