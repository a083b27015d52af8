// Parses a file of a bundle as its program does, with the location of each value.
import { isUtf8 } from 'node:buffer'
import type { Content, Doc } from '../../drift/evidence.ts'
import type { Finding } from '../../model/finding.ts'
import { type Json, qualifiedName, textAt } from '../../model/json.ts'
import { spanOf } from '../located.ts'
import { problem } from '../problems.ts'
import { textProblems } from '../text-problems.ts'
import { readValue } from '../source.ts'
import { inFile, type Part, splitDocuments } from '../source/split-documents.ts'
import { readToml } from './toml.ts'

type Read = (text: string, shown: string) => Content | Promise<Content>

/** winnode writes a kubeconfig as JSON, which is valid YAML. */
const readers: readonly (readonly [file: RegExp, read: Read])[] = [
  [/\.(?:json|conflist|ya?ml)$|^files\/kubernetes\/.*\.conf$/, readYaml],
  [/\.toml$/, readToml],
]

/** `shown` is the name in messages, `path` the path in the bundle. */
export async function readContent(
  content: Uint8Array,
  path: string,
  shown: string,
): Promise<Content> {
  const read = readerOf(path)
  if (read) return read(new TextDecoder().decode(content), shown)
  // Binary: one character per byte, so that different bytes are different text.
  if (!isUtf8(content)) return { kind: 'text', text: new TextDecoder('latin1').decode(content) }
  return { kind: 'text', text: new TextDecoder().decode(content).replaceAll('\r\n', '\n') }
}

function readerOf(path: string): Read | undefined {
  return readers.find(([file]) => file.test(path))?.[1]
}

/** Whether the file is parsed, and not compared as text. */
export function hasFields(path: string): boolean {
  return readerOf(path) !== undefined
}

/** Far above the number of documents in any file of a bundle. */
const maxDocuments = 1000

/** Several documents are identified by the object that they describe. */
function readYaml(text: string, shown: string): Content {
  const parts = splitDocuments(text)
  const read = parts.slice(0, maxDocuments).map((part) => readDoc(part, shown))
  const next = parts[maxDocuments]
  const place = { file: shown, line: (next?.linesAbove ?? 0) + 1, column: 1 }
  return {
    kind: 'documents',
    docs: read.flatMap(({ doc }, index) =>
      doc ? [{ ...doc, name: nameOf(doc.value, index) }] : [],
    ),
    faults: [
      ...read.flatMap(({ faults }) => faults),
      ...(next ? [problem('too-large', { place }, `${maxDocuments} documents`)] : []),
    ],
  }
}

function readDoc(
  part: Part,
  shown: string,
): { readonly doc: Doc | undefined; readonly faults: readonly Finding[] } {
  const { text } = part
  const problems = textProblems(shown, text)
  const root = readValue(text, problems)
  const faults = problems
    .findings()
    .map((fault) => (fault.place ? { ...fault, place: inFile(part, fault.place) } : fault))
  if (!root) return { doc: undefined, faults }
  const place = (path: Parameters<Doc['place']>[0]) =>
    inFile(part, problems.locate(spanOf(root, path)))
  return { doc: { name: '', value: root.value, place }, faults }
}

/** Kind and name: `ServiceAccount winnode-kube-proxy`. */
function nameOf(value: Json, index: number): string {
  const kind = textAt(value, ['kind'])
  const isNamed = kind !== '' && textAt(value, ['metadata', 'name']) !== ''
  return isNamed ? `${kind} ${qualifiedName(value)}` : `document ${index + 1}`
}
