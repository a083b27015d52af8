// Parses one `--set path=value` of the command line to a layer.
import type { Json, JsonObject } from '../../model/json.ts'
import type { Path } from '../../model/path.ts'
import { formatPath, isWithin, parsePath } from '../../model/path.ts'
import type { Finding } from '../../model/finding.ts'
import { redactSecrets } from '../../text/secrets.ts'
import { truncateMiddle } from '../../text/shortened.ts'
import type { Layer } from '../../model/layer.ts'
import { forbiddenKeys } from '../../model/unsafe.ts'
import type { Located } from '../located.ts'
import { layerOf } from '../located.ts'
import type { ProblemId } from '../problems.ts'
import type { TextProblems } from '../text-problems.ts'
import { textProblems } from '../text-problems.ts'
import { readValue } from '../source.ts'
import { unsafeIn } from '../source/characters.ts'
import { depthLimit } from '../source/parse.ts'
import type { Span } from '../span.ts'
import { headerKeys } from './header.ts'

interface SetLayer {
  readonly layer: Layer | undefined
  readonly findings: readonly Finding[]
}

/** The path, whose quoted keys may contain `=`; the first `=` outside of quotes; the value, of any type. */
const assignment = /^((?:"(?:[^"\\]|\\.)*"|[^"=])+)=([^]*)$/

export function readSet(text: string): SetLayer {
  const [, left = '', right = ''] = assignment.exec(text) ?? []
  const path = parsePath(left)
  const name = `--set ${truncateMiddle(redactSecrets(path ? left : text), 200)}`
  const problems = textProblems(name, text)
  const key: Span = { start: 0, end: left.length || text.length }
  const root = path ? readPath(path, right, key, problems) : undefined
  if (!path) problems.add('set-syntax', key, text)
  const layer = root && layerOf(name, root, problems.locate)
  return { layer: layer && path && withPlaceOnly(path, layer), findings: problems.findings() }
}

/** Only the path that the flag sets has the location of the flag. */
function withPlaceOnly(set: Path, layer: Layer): Layer {
  return {
    ...layer,
    place: (path, at) => (isWithin(path, set) ? layer.place(path, at) : undefined),
  }
}

function readPath(
  path: Path,
  value: string,
  key: Span,
  problems: TextProblems,
): Located | undefined {
  const id = problemOfPath(path)
  if (id) {
    problems.add(id, key, id === 'too-deep' ? String(depthLimit) : formatPath(path), path)
    return undefined
  }
  const leaf = readAssigned(value, key.end + 1, path, problems)
  return leaf && path.map(String).reduceRight((node, step) => wrap(step, node, key), leaf)
}

function problemOfPath(path: Path): ProblemId | undefined {
  if (path.length > depthLimit) return 'too-deep'
  if (path.some((step) => typeof step === 'number')) return 'set-list-item'
  if (headerKeys.has(String(path[0]))) return 'set-header'
  const unsafe = path.map((step) => unsafeIn(String(step))).find((id) => id !== undefined)
  if (unsafe) return unsafe
  return path.some((step) => forbiddenKeys.has(String(step))) ? 'forbidden-key' : undefined
}

function wrap(step: string, node: Located, key: Span): Located {
  const value: JsonObject = { [step]: node.value }
  return { value, span: key, entries: new Map([[step, { key, node }]]) }
}

/**
 * Lists, maps and quoted strings are YAML; true, false, null and integers have their type; everything else is a string, so
 * that `1.30` stays a version.
 */
function readAssigned(
  text: string,
  offset: number,
  path: Path,
  problems: TextProblems,
): Located | undefined {
  const span = { start: offset, end: offset + text.length }
  // Spaces replace the path, so that offsets are those in the argument.
  if (/^[[{"']/.test(text)) return readValue(' '.repeat(offset) + text, problems)
  const unsafe = unsafeIn(text)
  if (unsafe) problems.add(unsafe, span, '', path)
  return unsafe ? undefined : { value: plainValue(text), span }
}

function plainValue(text: string): Json {
  const words: Readonly<Record<string, Json>> = { true: true, false: false, null: null }
  if (Object.hasOwn(words, text)) return words[text] ?? null
  const number = Number(text)
  return /^-?(?:0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(number) ? number : text
}
