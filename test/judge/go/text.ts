// Texts of Kubernetes' programs: JSON where they begin with a brace, else the YAML 1.1 of sigs.k8s.io/yaml.
// https://github.com/kubernetes/apimachinery/blob/master/pkg/runtime/serializer/json/json.go
import {
  isAlias,
  isMap as isYamlMap,
  isScalar,
  isSeq,
  parseAllDocuments,
  type Document as YamlDocument,
  type Node as YamlNode,
} from 'yaml'
import { NumberText, readJson, type Document, type Parsed } from './json-reader.ts'

export type Reading = Document | { readonly fault: string }

/** The first document; `more` where others follow it, which are not read. */
export function readText(text: string): Reading & { readonly more?: boolean } {
  if (/^\s*\{/.test(text) && !text.startsWith('\ufeff')) {
    try {
      return readJson(text)
    } catch (error) {
      return { fault: `json parse error: ${String(error)}` }
    }
  }
  return readYaml(text.replace(/^\ufeff/, ''))
}

/** Sexagesimal numbers and dates stay text there. */
const unknownTags = ['intTime', 'floatTime', 'timestamp']

function readYaml(text: string): Reading & { readonly more?: boolean } {
  const documents = parseAllDocuments(text, {
    version: '1.1',
    uniqueKeys: false,
    customTags: (tags) =>
      tags.filter((tag) => typeof tag === 'string' || !unknownTags.includes(nameOf(tag))),
  })
  if (!Array.isArray(documents)) return { value: null, twice: [] }
  const [first, ...others] = documents
  const [error] = first?.errors ?? []
  if (error) return { fault: `yaml: ${error.message}` }
  const twice: string[] = []
  const value = first ? fromYaml(first.contents, first, twice) : null
  return { value, twice, ...(others.length > 0 && { more: true }) }
}

/** The library's tags of times and dates, by what they look for. */
function nameOf(tag: { readonly tag: string; readonly format?: string }): string {
  if (tag.tag.endsWith('timestamp')) return 'timestamp'
  return tag.format === 'TIME' ? 'intTime' : ''
}

function fromYaml(node: YamlNode | null, document: YamlDocument, twice: string[]): Parsed {
  const inner = (value: unknown) => fromYaml(value as YamlNode | null, document, twice)
  if (isAlias(node)) return inner(node.resolve(document) ?? null)
  if (isYamlMap(node)) {
    const entries = new Map<string, Parsed>()
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : ''
      if (entries.has(name)) twice.push(name)
      entries.set(name, inner(value))
    }
    return Object.fromEntries(entries)
  }
  if (isSeq(node)) return node.items.map(inner)
  const value: unknown = isScalar(node) ? node.value : null
  if (typeof value === 'number') return new NumberText(String(value))
  return typeof value === 'string' || typeof value === 'boolean' ? value : null
}
