// From a merged document to typed values; wrong types, choices and keys become findings.
import * as v from 'valibot'
import { carries, cniOf } from '../cni/index.ts'
import type { Finding } from '../model/finding.ts'
import { isObject, leavesIn, valueAt, type Json, type JsonObject } from '../model/json.ts'
import { isEmptyKey, type Layer } from '../model/layer.ts'
import { formatPath, type Path } from '../model/path.ts'
import type { CniName } from '../model/plugin-settings.ts'
import { pathTree, type PathTree } from '../model/path-tree.ts'
import { explainIssue, explainList } from './explain-issue.ts'
import { withDependents } from './follow.ts'
import type { StructuralError } from './structural-errors.ts'
import { profileSchema, type ProfileValues } from './fields/index.ts'
import { mergeLayers } from './merge.ts'
import { listsForMaps } from './schema-steps.ts'

interface Parsed {
  readonly values: ProfileValues
  readonly findings: readonly Finding[]
  /** Paths whose value was refused, which rules must skip; one that could not be read is the default. */
  readonly refused: readonly Path[]
}

/**
 * Never fails: refused values are replaced by their default, so that the rules can check
 * the rest and all problems are reported at once.
 */
export function parseProfile(document: JsonObject): Parsed {
  const { values, findings, refused, rest } = refuse(document)
  const uncarried = uncarriedFields(rest, values.network.cni)
  return {
    values,
    findings: [...findings, ...uncarried],
    refused: withDependents([...refused, ...uncarried.map(({ path }) => path)], values),
  }
}

/** As `parseProfile`, for what each layer of the user can only have by mistake, even where a stronger layer replaces it. */
export function parseLayers(
  layers: readonly Layer[],
): Parsed & { readonly origin: (path: Path) => Layer | undefined } {
  const { document, origin } = mergeLayers(layers)
  const parsed = parseProfile(document)
  const reported = new Set(parsed.findings.map(keyOf))
  // What the strongest layer sets is replaced by none.
  const replaced = layers.slice(0, -1).flatMap((layer) => {
    if (layer.builtIn) return []
    // null is no value of the layer.
    return refuse(mergeLayers([layer]).document).findings.flatMap((finding): readonly Finding[] => {
      if (!mistakes.has(finding.id)) return []
      if (reported.has(keyOf(finding)) && origin(finding.path) === layer) return []
      const place = layer.place(finding.path, finding.at)
      return [place ? { ...finding, place } : finding]
    })
  })
  const found = [...replaced, ...layers.flatMap((_, index) => emptied(layers.slice(0, index + 1)))]
  return {
    ...parsed,
    findings: [...parsed.findings, ...found],
    refused: withDependents([...parsed.refused, ...found.map(({ path }) => path)], parsed.values),
    origin,
  }
}

/** Keys without a value in the last layer, which YAML reads as null, where a layer below sets something. */
function emptied(layers: readonly Layer[]): readonly StructuralError[] {
  const layer = layers.at(-1)
  if (!layer || layer.builtIn) return []
  return leavesIn(layer.patch).flatMap(({ path, value }) => {
    const place = value === null ? layer.place(path) : undefined
    if (!place || !isEmptyKey(layer, path)) return []
    const below = mergeLayers(layers.slice(0, -1))
    if (valueAt(below.document, path) === undefined) return []
    const name = formatPath(path)
    return {
      id: 'empty-value',
      severity: 'error',
      path,
      message: `${name} has no value, which removes what ${below.origin(path)?.name ?? 'a layer below'} sets`,
      remedy: 'Remove the key, or write null after it to remove the inherited value.',
      place,
    }
  })
}

/** Of a right type, another value can replace it; and another layer can add what is missing. */
const mistakes: ReadonlySet<string> = new Set(['wrong-kind', 'unknown-field', 'bad-key'])

const keyOf = ({ id, path }: Finding) => JSON.stringify([id, path])

function refuse(document: JsonObject): Parsed & { readonly rest: JsonObject } {
  const findings: Finding[] = []
  const refused: Path[] = []
  let rest: JsonObject = { ...document, apiVersion: 'winnode/v1', kind: 'NodeProfile' }
  const reported = new Set<string>()
  const remove = (found: readonly Finding[]) => {
    const cuts = found.map(({ path }) => cut(path, rest))
    for (const finding of found) {
      // Values refused before are missing now.
      const at = JSON.stringify(finding.path)
      if (finding.id !== 'missing-field' || !reported.has(at)) findings.push(finding)
      reported.add(at)
    }
    for (const path of cuts) refused.push(path)
    rest = without(rest, pathTree(cuts))
  }
  remove(listsForMaps(rest).map(explainList))
  for (;;) {
    const asked = rest
    const result = v.safeParse(profileSchema, asked, { abortPipeEarly: true })
    if (result.success) return { values: result.output, findings, refused, rest }
    remove(result.issues.flatMap((issue) => explainIssue(issue, asked)))
  }
}

/** Whether a map sets nothing, at any depth. */
function isEmptyMap(value: Json | undefined): boolean {
  return isObject(value) && Object.values(value).every(isEmptyMap)
}

/** Fields that are set, and that are not in the bundle for the provider's image. */
function uncarriedFields(document: JsonObject, cni: CniName): readonly StructuralError[] {
  const { image } = cniOf(cni)
  if (!image) return []
  const paths = (value: Json | undefined, path: Path): readonly Path[] => {
    // null removes a field, and leaves the maps around it.
    if (!carries(cni, path)) return isEmptyMap(value) ? [] : [path]
    if (!isObject(value)) return []
    return Object.entries(value).flatMap(([key, child]) => paths(child, [...path, key]))
  }
  return paths(document, []).map((path) => ({
    id: 'field-of-image',
    severity: 'error',
    path,
    at: 'key',
    message: `${formatPath(path)} has no effect with ${image.name}`,
    remedy: 'Remove the field; null removes an inherited one.',
  }))
}

/**
 * What must be removed to parse the rest: the value; the list that contains it, because a list is one
 * value; or, for a missing key, the map around it.
 */
function cut(path: Path, document: JsonObject): Path {
  const list = path.findIndex((_, end) => Array.isArray(valueAt(document, path.slice(0, end))))
  if (list > 0) return path.slice(0, list)
  return valueAt(document, path) === undefined ? path.slice(0, -1) : path
}

function without(value: JsonObject, paths: PathTree): JsonObject {
  if (paths.ends) return {}
  const kept = Object.entries(value).flatMap(([key, child]): [string, Json | undefined][] => {
    const below = paths.children.get(key)
    if (!below) return [[key, child]]
    return below.ends ? [] : [[key, isObject(child) ? without(child, below) : child]]
  })
  return Object.fromEntries(kept)
}
