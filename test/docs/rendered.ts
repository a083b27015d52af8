// What winnode renders for every built-in profile and every branch by version, taken apart.
import path from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { parseAllDocuments } from 'yaml'
import { compile } from '../../src/compile.ts'
import { loadProfile } from '../../src/io/profiles.ts'
import { staticFiles } from '../../src/io/static-files.ts'
import type { Json, JsonObject } from '../../src/model/json.ts'
import type { DraftStep, Plan, PlannedFile } from '../../src/model/plan.ts'
import { renderFiles } from '../../src/render/render.ts'
import { root } from '../tools/run.ts'

const today = '2026-11-20'

export interface Rendered {
  readonly name: string
  readonly plan: Plan
  readonly files: ReadonlyMap<string, string>
}

/** A built-in profile with a patch over it; throws where a rule refuses it. */
export async function rendered(
  name: string,
  profile: string,
  patch: JsonObject,
): Promise<Rendered> {
  const { layers } = loadProfile({ profile, layers: [], sets: [], root, cwd: root })
  const layer = { name, patch, place: () => undefined }
  const { plan, findings } = compile([...layers, layer], profile, { today })
  if (!plan) throw new Error(`${name}: ${findings[0]?.message ?? 'no plan'}`)
  const files = await renderFiles(plan, staticFiles(root))
  const texts = files.map(({ path: at, content }) => [at, Buffer.from(content).toString()] as const)
  return { name, plan, files: new Map(texts) }
}

/** The documents of a file as data; none where it is prose, a script or a certificate. */
export function documentsOf({ path: name }: PlannedFile, text: string): readonly Json[] {
  switch (path.extname(name)) {
    case '.toml':
      return [parseToml(text) as Json]
    case '.yaml':
      return parseAllDocuments(text).map((document) => document.toJS() as Json)
    case '.json':
    case '.conflist':
    case '.conf':
      return [JSON.parse(text) as Json]
    default:
      return []
  }
}

export interface Leaf {
  /** Keys from the root; `[]` for an item of a list. */
  readonly path: readonly string[]
  readonly value: Json
}

/** A list of scalars is one leaf for each item; an empty one is a leaf itself. */
export function leavesOf(value: Json | undefined, at: readonly string[] = []): readonly Leaf[] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((item: Json) => leavesOf(item, [...at, '[]']))
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...at, key]))
  return [{ path: at, value: value ?? null }]
}

/** Whether a row of a table of settings means this leaf; that of the items of a list means an empty list, too. */
export function means(pattern: string, leaf: Leaf): boolean {
  const empty = Array.isArray(leaf.value) && leaf.value.length === 0 && pattern.endsWith('[]')
  const parts = partsOf(empty ? pattern.slice(0, -2) : pattern)
  return parts.length === leaf.path.length && startsWith(leaf.path, parts)
}

/** Whether it means this leaf, or a map or a list around it. */
export function isAround(pattern: string, leaf: Leaf): boolean {
  return startsWith(leaf.path, partsOf(pattern)) || means(pattern, leaf)
}

function partsOf(pattern: string): readonly string[] {
  return [...pattern.matchAll(/"([^"]*)"|\[\]|[^."[\]]+/g)].map(([all, key]) => key ?? all)
}

function startsWith(steps: readonly string[], parts: readonly string[]): boolean {
  return parts.every((part, at) => part === steps[at] || (part === '*' && steps[at] !== '[]'))
}

type Service = Extract<DraftStep, { readonly kind: 'service' }>

export function servicesOf(plan: Plan): readonly Service[] {
  return plan.steps.filter((step): step is Service => step.kind === 'service')
}

/** Flags and variables of a service, each with what it is set to. */
export function flagsIn(
  service: Service,
): readonly { readonly name: string; readonly value: string }[] {
  const words = service.command.map(({ text, fact }) => text + (fact ? `<${fact}>` : ''))
  const flags = words.flatMap((word, index) => {
    if (!word.startsWith('-')) return []
    const [name = '', value] = word.split(/=(.*)/s)
    const next = words[index + 1] ?? '-'
    return [{ name, value: value ?? (next.startsWith('-') ? '' : next) }]
  })
  const variables = service.environment.map(({ name, value }) => ({
    name,
    value: value.text + (value.fact ? `<${value.fact}>` : ''),
  }))
  return [...flags, ...variables]
}
