// Reads snapshots and reports of nodes from files, folders, standard input and pipes, one document at a time.
import {
  closeSync,
  createReadStream,
  type Dirent,
  fstatSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { type JsonObject, parseObject } from '../../model/json.ts'
import { causeOf } from '../disk-error.ts'
import { notRegular, openRegular } from '../disk.ts'
import { below } from '../native-path.ts'
import { type Piece, type Splitter, splitter } from './split-json.ts'

export interface NodeText {
  /** File name, and the number of the document if the file has several. */
  readonly source: string
  /** The file that can be opened; a stream has none. */
  readonly file?: string | undefined
  /** File name without extension, for a document without a node name. */
  readonly name: string
  readonly document?: JsonObject
  /** Why there is no document. */
  readonly unread?: string
}

/** Why the document cannot be used, or an empty text. */
export type ProblemOf = (document: JsonObject) => string

const ending = /\.(?:json|jsonl|ndjson)$/i
/** Whether a file can hold snapshots or reports, by its extension. */
export function isNodeFile(name: string): boolean {
  return ending.test(name)
}

/** A larger file holds many nodes, and is read in chunks. */
const large = 16 * 1024 * 1024

/** Whether this shard reads the file, or reports that it cannot be read. */
export type Filter = (shown: string) => boolean

/** `shown` is the path as the user typed it. Files of a folder are sorted by name. */
export async function* nodesAt(
  shown: string,
  place: string,
  problemOf: ProblemOf,
  filter: Filter = () => true,
): AsyncGenerator<NodeText> {
  for (const file of filesAt(shown, place)) {
    if (!filter('place' in file ? file.shown : file.source)) continue
    if ('place' in file) yield* nodesIn(file, problemOf)
    else yield file
  }
}

function* filesAt(shown: string, place: string): Generator<File | NodeText> {
  try {
    if (!statSync(place).isDirectory()) {
      yield { shown, place }
      return
    }
    let count = 0
    for (const file of filesBelow(shown, place)) {
      count += 1
      yield file
    }
    if (count === 0)
      yield { source: shown, file: shown, name: shown, unread: 'there is no JSON file in it' }
  } catch (error) {
    yield unreadable(shown, error)
  }
}

interface File {
  readonly shown: string
  readonly place: string
}

/** Follows links to files but not to folders, so no folder is read twice. */
function* filesBelow(shown: string, folder: string): Generator<File | NodeText> {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const [called, place] = [below(shown, entry.name), join(folder, entry.name)]
      if (entry.isDirectory()) yield* filesBelow(called, place)
      else if (isNodeFile(entry.name)) yield fileAt({ shown: called, place }, entry)
    }
  } catch (error) {
    yield unreadable(shown, error)
  }
}

/** Only for a link: `stat` is slower than the type in the directory entry. */
function fileAt(file: File, entry: Dirent): File | NodeText {
  const { shown, place } = file
  try {
    const found = entry.isSymbolicLink() ? statSync(place) : entry
    return found.isFile() ? file : { source: shown, file: shown, name: shown, unread: notRegular }
  } catch (error) {
    return unreadable(shown, error)
  }
}

function unreadable(source: string, error: unknown): NodeText {
  return { source, file: source, name: source, unread: causeOf(error) }
}

async function* nodesIn({ shown, place }: File, problemOf: ProblemOf): AsyncGenerator<NodeText> {
  const name = nodeNameOf(place)
  const about = { source: shown, file: shown, name, problemOf }
  try {
    const file = openRegular(place)
    if (file === undefined) {
      yield { source: shown, file: shown, name, unread: notRegular }
      return
    }
    if (fstatSync(file).size > large) {
      yield* nodesOf(createReadStream(place, { fd: file, start: 0 }), about)
      return
    }
    const bytes = readAndClose(file)
    const document = parseObject(decoderFor(bytes).decode(bytes))
    if (document) yield { source: shown, file: shown, name, document }
    else yield* nodesOf([bytes], about)
  } catch (error) {
    yield unreadable(shown, error)
  }
}

/** Also closes a file that cannot be read. */
function readAndClose(file: number): Uint8Array {
  try {
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/** The name of the node, from the name of its file. */
export function nodeNameOf(place: string): string {
  return basename(place).replace(ending, '')
}

/** Most unreadable documents of one file or stream; after them it is not read any further. */
const [maxListed, maxUnread] = [20, 1000]

interface About {
  readonly source: string
  readonly file?: string | undefined
  /** For documents without a node name. */
  readonly name: string
  readonly problemOf: ProblemOf
}

const standardInput = { source: 'standard input', name: 'document', descriptor: 0 } as const

/** Node.js cannot read a folder. */
export async function* nodesOfInput(problemOf: ProblemOf): AsyncGenerator<NodeText> {
  const { source, name, descriptor } = standardInput
  if (isFolder(descriptor)) yield { source, name: source, unread: 'it is a folder' }
  else yield* nodesOf(process.stdin, { source, name, problemOf })
}

/** False if the system does not know whether it is a console. */
function isFolder(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isDirectory()
  } catch {
    return false
  }
}

/** The documents of a stream, each as soon as it is complete. */
export async function* nodesOf(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { source, file, name, problemOf }: About,
): AsyncGenerator<NodeText> {
  const cut = splitter()
  let [count, unread] = [0, 0]
  let whole: string | undefined
  try {
    for await (const piece of piecesOf(stream, cut)) {
      count += 1
      const document = piece.whole ? parseObject(piece.text) : undefined
      const about = { source: `${source}, document ${count}`, file, name: `${name} ${count}` }
      const why = document ? problemOf(document) : noJson(piece.text)
      if (document && why === '') yield { ...about, document }
      else unread += 1
      if (why !== '' && unread <= maxListed) yield { ...about, unread: why }
      if (unread === maxUnread) break
    }
    const rest = unread === maxUnread ? '' : cut.rest()
    if (rest !== '') whole = rest.startsWith('{') ? cutOff : noJson(rest)
    else if (count === 0) whole = 'there is no document in it'
  } catch (error) {
    whole = causeOf(error)
  }
  if (unread > maxListed) {
    const stopped = `reading stopped at document ${count}`
    const why = unread < maxUnread ? `only the first ${maxListed} are listed` : stopped
    yield { source: `${source}, ${unread - maxListed} more documents`, file, name, unread: why }
  }
  if (whole !== undefined) yield { source, file, name, unread: whole }
}

async function* piecesOf(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  cut: Splitter,
): AsyncGenerator<Piece> {
  let decoder: ReturnType<typeof decoderFor> | undefined
  for await (const chunk of withHead(stream)) {
    decoder ??= decoderFor(chunk)
    yield* cut.push(decoder.decode(chunk, { stream: true }))
  }
}

/** The first bytes show the encoding; a pipe may deliver them one by one. */
async function* withHead(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array()
  for await (const chunk of stream) {
    const whole: Uint8Array = head === undefined ? chunk : Buffer.concat([head, chunk])
    head = head !== undefined && whole.length < 4 ? whole : undefined
    if (head === undefined) yield whole
  }
  if (head !== undefined) yield head
}

/** `>` of Windows PowerShell writes UTF-16, with a byte order mark. Without one, Latin text in UTF-16 has a NUL in every second byte. */
function decoderFor(head: Uint8Array): InstanceType<typeof TextDecoder> {
  const [first = 0, second = 0, third = 1, fourth = 1] = head
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le')
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be')
  if (second === 0 && fourth === 0 && head.length > 3) return new TextDecoder('utf-16le')
  if (first === 0 && third === 0 && head.length > 3) return new TextDecoder('utf-16be')
  return new TextDecoder('utf-8')
}

const cutOff = 'it is cut off, or no JSON'

/** The first words of an error of kubectl, or of a script of a bundle, that was saved in place of output. */
const savedError = /^(?:error:|ssh:|Error from server|Unable to connect|[\w.\\/:-]*WinNode\.ps1\b)/

/** Quotes only errors: any file may be named as evidence, also one with credentials. */
function noJson(text: string): string {
  const beginning = text.slice(0, 72).trim()
  return savedError.test(beginning) ? `it is not JSON: ${beginning}` : 'it is not JSON'
}
