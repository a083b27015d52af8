// Describes an error in the structure of a profile, and what would be valid.
import type * as v from 'valibot'
import { isList, isObject, valueAt, type Json, type JsonObject } from '../model/json.ts'
import { hostPattern } from '../net/host.ts'
import { nearest } from '../text/nearest.ts'
import { formatPath, type Path } from '../model/path.ts'
import { describeNamedSecret, redactSecrets } from '../text/secrets.ts'
import { truncateMiddle } from '../text/shortened.ts'
import type { profileSchema } from './fields/index.ts'
import { fieldOf, fields } from './catalogue.ts'
import type { StructuralError } from './structural-errors.ts'
import { presentFieldOf } from './renamed.ts'
import { knownKeys } from './schema-steps.ts'

type Issue = v.InferIssue<typeof profileSchema>

function pathOf(issue: Issue): Path {
  return (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)))
}

/** The parser reports only one unknown key of a map; all of them are reported here. */
export function explainIssue(issue: Issue, document: JsonObject): readonly StructuralError[] {
  if (issue.type !== 'strict_object' || issue.expected !== 'never')
    return [explainOne(issue, document)]
  const path = pathOf(issue)
  const parent = path.slice(0, -1)
  const known = knownKeys(parent)
  const map = valueAt(document, parent)
  const unknown = isObject(map)
    ? Object.keys(map).filter((key) => !known.includes(key))
    : path.slice(-1)
  return unknown.map((key) => {
    const at = [...parent, key]
    return {
      id: 'unknown-field',
      severity: 'error',
      path: at,
      at: 'key',
      message: `unknown field ${formatPath(at)}`,
      remedy: remedyOf(at, known),
    }
  })
}

export function explainList(path: Path): StructuralError {
  const message = `${formatPath(path)} is a list; it must be a map`
  const isField = fieldOf(path)?.path.length === path.length
  const remedy = isField ? exampleOf(path) : { remedy: 'Write KEY: VALUE lines without a dash.' }
  return { id: 'wrong-kind', severity: 'error', path, message, ...remedy }
}

function remedyOf(path: Path, known: readonly string[]): string {
  const now = presentFieldOf(path)
  if (now) return `Move it to ${formatPath(now)}, its new name.`
  const key = String(path.at(-1))
  const guess = nearest(key, known)
  if (guess !== undefined) return `Did you mean ${guess}?`
  const [elsewhere, another] = fields.filter((field) => field.path.at(-1) === path.at(-1))
  if (elsewhere && !another) return `Did you mean ${formatPath(elsewhere.path)}?`
  // As a program has it: the kubelet's --node-labels are kubelet.labels.
  const ending = known.find((name) => key.toLowerCase().endsWith(name.toLowerCase()))
  if (ending !== undefined) return `Did you mean ${ending}?`
  if (describeNamedSecret(key) !== undefined) return withoutSecret
  return known.length <= mostNames
    ? `Use one of ${known.join(', ')}, or remove the field.`
    : 'Remove the field.'
}

const withoutSecret =
  'Remove it: a profile contains no secrets. Join-WinNode.ps1 takes a bootstrap token with -TokenFile.'

/** A remedy that lists more is not read. */
const mostNames = 8

function explainOne(issue: Issue, document: JsonObject): StructuralError {
  const path = pathOf(issue)
  const where = formatPath(path)
  const of = { severity: 'error', path } as const
  const value = valueAt(document, path)
  if (value === undefined)
    return { ...of, id: 'missing-field', message: `${where} is missing`, remedy: 'Add the field.' }
  if (issue.path?.at(-1)?.origin === 'key') {
    const message = `invalid key ${JSON.stringify(issue.input)} in ${formatPath(path.slice(0, -1))}; it must be ${right(issue)}`
    return { ...of, id: 'bad-key', at: 'key', message, ...didYouMean(issue, issue.input) }
  }
  const refused = isWord(value)
    ? fieldOf(path)?.refused?.get(String(value).toLowerCase())
    : undefined
  const message = `${where} is ${show(value)}${refused ? `, which ${refused.reason}` : ''}; it must be ${right(issue)}`
  const advice = refused ? { remedy: refused.instead, see: refused.see } : didYouMean(issue, value)
  return { ...of, id: findingId(issue), message, ...advice }
}

function findingId(issue: Issue): StructuralError['id'] {
  if (issue.type === 'picklist') return 'unknown-choice'
  return issue.kind === 'schema' && !isOfOneKind(issue) ? 'wrong-kind' : 'bad-value'
}

/** Whether the value has the type of a choice, such as a map that lacks a key; a list is no map. */
function isOfOneKind({ issues, input }: Issue): boolean {
  const isFound = issues?.some(({ kind, path }) => kind !== 'schema' || path !== undefined)
  return isFound === true && !isList(input)
}

function didYouMean(issue: Issue, value: unknown): { remedy?: string } {
  const guess = isWord(value) ? nearest(String(value), choices(issue)) : undefined
  if (guess !== undefined) return { remedy: `Did you mean ${guess}?` }
  if (typeof value === 'number' && issue.expected === 'string') return { remedy: inQuotes(value) }
  const ascii = typeof value === 'string' ? inPunycode(issue, value) : undefined
  if (ascii !== undefined) return { remedy: `Write the host in punycode: ${ascii}.` }
  if (issue.kind !== 'schema') return {}
  return (
    keyWithDots(pathOf(issue), value) ?? listOf(pathOf(issue), value) ?? exampleOf(pathOf(issue))
  )
}

/** A choice can be typed as a number. */
function isWord(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function inQuotes(value: number): string {
  const text = String(value)
  return /^\d+\.\d$/.test(text)
    ? `Write it in quotes, such as "${text}" or "${text}0": YAML reads both as ${text}.`
    : `Write it in quotes, such as "${text}".`
}

/** Where a host with letters that are not ASCII is all that is wrong. */
function inPunycode(issue: Issue, value: string): string | undefined {
  const host = value.match(/[^\s/\\:@]+/g)?.find((word) => /[^\p{ASCII}]/u.test(word))
  if (host === undefined || !URL.canParse(`http://${host}`)) return undefined
  const ascii = value.replace(host, () => new URL(`http://${host}`).hostname)
  const isRight = [issue, ...(issue.issues ?? [])].some(
    ({ requirement }) =>
      requirement instanceof RegExp &&
      requirement.source.includes(hostPattern) &&
      requirement.test(ascii),
  )
  return isRight ? ascii : undefined
}

/** `--set kubelet.labels.example.com/pool=web`, whose key needs quotes; Helm has a backslash before such a dot. */
function keyWithDots(path: Path, value: unknown): { remedy: string } | undefined {
  const field = fieldOf(path)
  const isEntry = field?.form.kind === 'pairs' && path.length === field.path.length + 1
  if (!isEntry || !isObject(value)) return undefined
  const key = [path.at(-1), ...onlyKeys(value)].join('.').replaceAll(/[\\'"]/g, '')
  const quoted = formatPath([...field.path, key])
  return { remedy: `Put the key in quotes, and quotes around it all: --set '${quoted}=VALUE'.` }
}

/** The keys of maps of one entry, one in the other. */
function onlyKeys(value: unknown): readonly string[] {
  const [[key, inner] = [], another] = isObject(value) ? Object.entries(value) : []
  return key === undefined || another ? [] : [key, ...onlyKeys(inner)]
}

/** One text, or several with commas, where a list of texts is expected. */
function listOf(path: Path, value: unknown): { remedy: string } | undefined {
  const { example, path: whole } = fieldOf(path) ?? {}
  const isTexts =
    whole?.length === path.length && Array.isArray(example) && typeof example[0] === 'string'
  // A shortened or redacted value is no list to copy.
  if (!isTexts || typeof value !== 'string' || show(value) !== JSON.stringify(value))
    return undefined
  const texts = value.split(',').map((one) => JSON.stringify(one.trim()))
  return { remedy: `Write a list: [${texts.join(', ')}].` }
}

/** The example of the field that the value is in. */
function exampleOf(path: Path): { remedy?: string } {
  const field = fieldOf(path)
  if (!field || typeof field.example !== 'object') return {}
  return { remedy: `Example: ${formatPath(field.path)}: ${JSON.stringify(field.example)}` }
}

/** Description of a valid value: from the field, else from its type. */
function right(issue: Issue): string {
  if (issue.kind === 'validation' || issue.type === 'union') return issue.message
  const options = choices(issue)
  if (options.length > 0) return `one of ${options.join(', ')}`
  return kindNames.get(String(issue.expected)) ?? 'another value'
}

const kindNames = new Map([
  ['string', 'text'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
  ['Array', 'a list'],
  ['Object', 'a map'],
])

/** valibot lists them in `expected`: `("a" | "b")`. */
function choices(issue: Issue): readonly string[] {
  if (issue.type !== 'picklist') return []
  return [...String(issue.expected).matchAll(/"([^"]*)"|(\d+)/g)].map((m) => m[1] ?? m[2] ?? '')
}

function show(value: Json): string {
  if (isObject(value)) return 'a map'
  if (Array.isArray(value)) return 'a list'
  return truncateMiddle(redactSecrets(JSON.stringify(value)), 80)
}
