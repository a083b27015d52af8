// Parses a profile file to a layer, and collects the problems of its text.
import type { Finding } from '../model/finding.ts'
import { isObject } from '../model/json.ts'
import type { Layer } from '../model/layer.ts'
import type { Located } from './located.ts'
import { layerOf } from './located.ts'
import type { TextProblems } from './text-problems.ts'
import { textProblems } from './text-problems.ts'
import { replaceUnprintable } from './source/characters.ts'
import { decode } from './source/decode.ts'
import { profileDialect } from './source/dialect.ts'
import { parse } from './source/parse.ts'
import { readTree } from './source/tree.ts'
import { start } from './span.ts'

interface Source {
  /** Absent if the text cannot be parsed; a layer can have findings too. */
  readonly layer: Layer | undefined
  readonly findings: readonly Finding[]
}

/** As YAML or JSON. One of the two header keys is enough: a typo in the other is an error of the profile. */
const header =
  /(?:^|[{,]\s*)["']?(?:apiVersion["']?\s*:\s*["']?winnode\/|kind["']?\s*:\s*["']?NodeProfile\b)/m

/** Whether the text of a file has the header of a profile. */
export function hasHeader(text: string): boolean {
  return header.test(text)
}

/** `file` is the path as the user typed it. Never throws, whatever the file holds. */
export function readSource(bytes: Uint8Array, file: string): Source {
  const { text, fault } = decode(bytes)
  // The text of a file of another type, such as a secret behind a link, is never quoted.
  const problems = textProblems(file, text, hasHeader(text))
  if (fault) problems.add(fault.id, fault.span, fault.about)
  const root = fault ? undefined : readMap(text, problems)
  return {
    layer: root && layerOf(file, root, problems.locate),
    findings: problems.findings(),
  }
}

/** Parses a text that need not be a map, such as the value of a flag. */
export function readValue(text: string, problems: TextProblems): Located | undefined {
  const [root] = parse(replaceUnprintable(text, problems), problems, profileDialect) ?? []
  return root ? readTree(root, problems, profileDialect) : undefined
}

function readMap(text: string, problems: TextProblems): Located | undefined {
  const root = readValue(text, problems)
  if (root && isObject(root.value)) return root
  if (root) problems.add('not-a-map', root.span, kindOf(root.value))
  else if (problems.findings().length === 0) problems.add('empty-file', start)
  return undefined
}

function kindOf(value: Located['value']): string {
  if (Array.isArray(value)) return 'a list'
  return value === null ? 'nothing' : `a single ${typeof value}`
}
