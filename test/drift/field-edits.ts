// Every edit of every field that a file of a bundle has.
import { parseAllDocuments } from 'yaml'
import { type Json, type JsonObject, valueAt } from '../../src/model/json.ts'

export type Steps = readonly (string | number)[]

export function leavesOf(value: Json, at: Steps = []): readonly Steps[] {
  if (typeof value !== 'object' || value === null) return [at]
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner ?? null, [...at, Array.isArray(value) ? Number(key) : key]),
  )
}

/** The document with another value at a path; without a value, without that key. */
export function changed(document: Json, [step, ...rest]: Steps, value: Json | undefined): Json {
  if (step === undefined) return value ?? null
  if (Array.isArray(document)) {
    const items: readonly Json[] = document
    return items.map((item, index) => (index === step ? changed(item, rest, value) : item))
  }
  const entries = Object.entries(document as JsonObject).flatMap(([key, inner]) => {
    if (key !== step) return [[key, inner] as const]
    const after = rest.length > 0 ? changed(inner ?? null, rest, value) : value
    return after === undefined ? [] : [[key, after] as const]
  })
  return Object.fromEntries(entries)
}

export const other = (value: Json | undefined): Json => {
  if (typeof value === 'number') return value + 1
  return typeof value === 'boolean' ? !value : `${typeof value === 'string' ? value : ''}x`
}

export interface Edit {
  readonly what: string
  readonly at: Steps
  readonly text: string
  /** A program that reads the file stops at it. */
  readonly breaks?: true
}

/** Maps and lists of a document, itself too. */
function insidesOf(value: Json, at: Steps = []): readonly Steps[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, item]) =>
    insidesOf(item ?? null, [...at, Array.isArray(value) ? Number(key) : key]),
  )
  return [at, ...inner]
}

/** Each field changed, taken away and written twice; a field and an item more wherever there is room. */
export function* editsOf(document: JsonObject): Generator<Edit> {
  const make = (what: string, at: Steps, value: Json | undefined) => {
    return { what, at, text: JSON.stringify(changed(document, at, value)) }
  }
  for (const at of leavesOf(document)) {
    const [value, last] = [valueAt(document, at), at.at(-1)]
    yield make('changed', at, other(value))
    if (typeof last !== 'string') continue
    yield make('removed', at, undefined)
    const around = valueAt(document, at.slice(0, -1)) as JsonObject
    const twice = make('twice', at.slice(0, -1), { ...around, 'again and again': value })
    const text = twice.text.replace('"again and again"', JSON.stringify(last))
    yield { what: 'twice', at, text, breaks: true }
  }
  for (const at of insidesOf(document)) {
    const value = valueAt(document, at)
    if (!Array.isArray(value)) yield make('added', at, { ...(value as JsonObject), more: 1 })
    else if (value.length > 0) yield make('doubled', at, [...(value as Json[]), value[0] as Json])
  }
}

/** The same of each object of a manifest, and each object itself; JSON is YAML. */
export function* objectEditsOf(text: string): Generator<Edit> {
  const objects = parseAllDocuments(text).map((one) => one.toJS() as JsonObject)
  const texts = objects.map((one) => JSON.stringify(one))
  const joined = (some: readonly string[]) => some.join('\n---\n')
  for (const [index, object] of objects.entries()) {
    for (const edit of editsOf(object))
      yield { ...edit, text: joined(texts.with(index, edit.text)) }
    if (texts.length > 1) yield { what: 'removed', at: [], text: joined(texts.toSpliced(index, 1)) }
    yield { what: 'doubled', at: [], text: joined([...texts, texts[index] ?? '']) }
  }
}

/** Lines of TOML, which is made of one field a line. */
export function* lineEditsOf(text: string): Generator<Edit> {
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    const [, name = '', quoted] = /^ *([\w-]+) = (?:'|")?(.*?)(?:'|")?$/.exec(line) ?? []
    if (name === '' || quoted === undefined || /[[{]/.test(quoted)) continue
    const put = (...some: readonly string[]) => lines.toSpliced(index, 1, ...some).join('\n')
    const value = /^(?:true|false)$/.test(quoted)
      ? quoted !== 'true'
      : /^\d+$/.test(quoted)
        ? 77
        : "'x'"
    yield { what: 'changed', at: [name], text: put(`${name} = ${value}`) }
    yield { what: 'removed', at: [name], text: put() }
    yield { what: 'added', at: ['more'], text: put(line, 'more = 1') }
    yield { what: 'twice', at: [name], text: put(line, line), breaks: true }
  }
}
