// Node-files: snapshots and reports of nodes, one document at a time, from files, folders and a stream.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isObject, type JsonObject } from '../../model/json.ts'
import { causeOf } from '../bundle/disk-error.ts'
import { below } from '../shown-path.ts'
import { decoderFor } from './encoding.ts'
import { splitter } from './split.ts'

export interface NodeText {
  /** The file, and which of its documents. */
  readonly source: string
  /** What the file is called without its ending, for a document that does not name its node. */
  readonly name: string
  readonly document?: JsonObject
  /** Why there is none. */
  readonly unread?: string
}

const ending = /\.(?:json|jsonl|ndjson)$/i

/** `shown` is as a person typed it. Files of a folder come in the order of their names. */
export function* nodesAt(shown: string, place: string): Generator<NodeText> {
  if (!statSync(place).isDirectory()) {
    yield* nodesIn(shown, place)
    return
  }
  const names = readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .sort()
  if (names.length === 0)
    yield { source: shown, name: shown, unread: 'there is no JSON file in it' }
  for (const name of names)
    yield* nodesIn(below(shown, name.replaceAll('\\', '/')), join(place, name))
}

function* nodesIn(source: string, place: string): Generator<NodeText> {
  const name = basename(place).replace(ending, '')
  try {
    const bytes = readFileSync(place)
    const text = decoderFor(bytes).decode(bytes)
    yield* documentsOf(text, source, name)
  } catch (error) {
    yield { source, name, unread: error instanceof Error ? causeOf(error) : String(error) }
  }
}

function* documentsOf(text: string, source: string, name: string): Generator<NodeText> {
  const whole = parsed(text)
  if (isObject(whole)) {
    yield { source, name, document: whole }
    return
  }
  const cut = splitter()
  const texts = cut.push(text)
  yield* numbered(texts, source, name, 0)
  if (cut.rest() !== '' || texts.length === 0) yield { source, name, unread: cutOff(text) }
}

/** Documents of a stream, each as soon as it is whole. */
export async function* nodesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<NodeText> {
  const source = 'standard input'
  const cut = splitter()
  let decoder: ReturnType<typeof decoderFor> | undefined
  let count = 0
  let all = 0
  for await (const chunk of stream) {
    decoder ??= decoderFor(chunk)
    all += chunk.length
    const texts = cut.push(decoder.decode(chunk, { stream: true }))
    yield* numbered(texts, source, 'document', count)
    count += texts.length
  }
  const rest = cut.rest()
  if (rest !== '' || count === 0)
    yield { source, name: source, unread: all === 0 ? 'it is empty' : cutOff(rest) }
}

function* numbered(
  texts: readonly string[],
  source: string,
  name: string,
  before: number,
): Generator<NodeText> {
  for (const [index, text] of texts.entries()) {
    const place = before + index + 1
    const document = parsed(text)
    const about = { source: `${source}, document ${place}`, name: `${name} ${place}` }
    yield isObject(document) ? { ...about, document } : { ...about, unread: 'it is no JSON' }
  }
}

function cutOff(text: string): string {
  if (text.trim() === '') return 'it is empty'
  return text.trimStart().startsWith('{') ? 'it is cut off, or no JSON' : 'it is no JSON'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
