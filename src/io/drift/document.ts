// Document: the text of a file of a bundle, read the way its program reads it, with the place of each value.
import type { Content, Doc } from '../../drift/evidence.ts'
import type { Finding } from '../../model/finding.ts'
import { type Json, valueAt } from '../../model/json.ts'
import { spanOf } from '../located.ts'
import { openReport } from '../report.ts'
import { readValue } from '../source.ts'
import { readToml } from './toml.ts'

type Read = (text: string, shown: string) => Content | Promise<Content>

/** A kubeconfig of ours is JSON, which YAML reads too. */
const readers: readonly (readonly [file: RegExp, read: Read])[] = [
  [/\.(?:json|conflist|ya?ml)$|^files\/kubernetes\/.*\.conf$/, readYaml],
  [/\.toml$/, readToml],
]

/** `shown` is what a person calls the file, `path` where it lies in the bundle. */
export async function readContent(
  content: Uint8Array,
  path: string,
  shown: string,
): Promise<Content> {
  const read = readerOf(path)
  const text = new TextDecoder().decode(content)
  return read ? read(text, shown) : { kind: 'text', text: text.replaceAll('\r\n', '\n') }
}

function readerOf(path: string): Read | undefined {
  return readers.find(([file]) => file.test(path))?.[1]
}

/** Whether it is read as documents, and not as a text. */
export function hasFields(path: string): boolean {
  return readerOf(path) !== undefined
}

/** Several documents are known by what they describe. */
function readYaml(text: string, shown: string): Content {
  const parts = partsOf(text)
  const read = parts.map((part) => readDoc(part, shown))
  return {
    kind: 'documents',
    docs: read.flatMap(({ doc }, index) =>
      doc ? [{ ...doc, name: nameOf(doc.value, index) }] : [],
    ),
    faults: read.flatMap(({ faults }) => faults),
  }
}

/** Each part stands on the line that it has in the whole. */
function partsOf(text: string): readonly string[] {
  const lines = text.split('\n')
  const ends = lines.flatMap((line, index) => (/^---\s*$/.test(line) ? [index] : []))
  const starts = [0, ...ends.map((end) => end + 1)]
  return starts
    .map((start, index) => {
      const part = lines.slice(start, ends[index] ?? lines.length)
      return { above: start, part: part.join('\n') }
    })
    .filter(({ part }) => part.replace(/^\s*#.*$/gm, '').trim() !== '')
    .map(({ above, part }) => '\n'.repeat(above) + part)
}

function readDoc(
  text: string,
  shown: string,
): { readonly doc: Doc | undefined; readonly faults: readonly Finding[] } {
  const report = openReport(shown, text)
  const root = readValue(text, report)
  const faults = report.findings()
  if (!root) return { doc: undefined, faults }
  const place = (path: Parameters<Doc['place']>[0]) => report.locate(spanOf(root, path))
  return { doc: { name: '', value: root.value, place }, faults }
}

/** As kubectl calls an object: `ClusterRole winnode-flannel`. */
function nameOf(value: Json, index: number): string {
  const text = (...path: readonly string[]) => {
    const part = valueAt(value, path)
    return typeof part === 'string' ? part : ''
  }
  const [kind, name, namespace] = [
    text('kind'),
    text('metadata', 'name'),
    text('metadata', 'namespace'),
  ]
  if (kind === '' || name === '') return `document ${index + 1}`
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`
}
