// A merged document to typed values; wrong kinds, choices and keys become findings.
import * as v from 'valibot'
import type { Finding } from '../model/finding.ts'
import { isObject, valueAt, type JsonObject } from '../model/json.ts'
import type { Path } from '../model/path.ts'
import { explainIssue, pathOf } from './explain.ts'
import { withFollowers } from './follow.ts'
import { profileSchema, type ProfileValues } from './fields/index.ts'

export interface Parsed {
  readonly values: ProfileValues
  readonly findings: readonly Finding[]
  /** Paths whose value was refused: the default stands there, and no rule may judge it. */
  readonly refused: readonly Path[]
}

/**
 * Never fails: what is refused is left out and its default taken, so that the rules can look at
 * the rest and a person sees all problems at once.
 */
export function parseProfile(document: JsonObject): Parsed {
  const findings: Finding[] = []
  const refused: Path[] = []
  let rest: JsonObject = { ...document, apiVersion: 'winnode/v1', kind: 'NodeProfile' }
  for (;;) {
    const result = v.safeParse(profileSchema, rest)
    if (result.success)
      return { values: result.output, findings, refused: withFollowers(refused, document) }
    const cuts: Path[] = []
    for (const issue of result.issues) {
      findings.push(explainIssue(issue, rest))
      cuts.push(cut(pathOf(issue), rest))
    }
    refused.push(...cuts)
    for (const path of cuts) rest = without(rest, path)
  }
}

/**
 * What has to go so that the rest can be read: the value; the list it is in, because a list is one
 * value; the map around it where it is missing.
 */
function cut(path: Path, document: JsonObject): Path {
  const list = path.findIndex((_, end) => Array.isArray(valueAt(document, path.slice(0, end))))
  if (list > 0) return path.slice(0, list)
  return valueAt(document, path) === undefined ? path.slice(0, -1) : path
}

function without(value: JsonObject, path: Path): JsonObject {
  const [key, ...rest] = path
  if (key === undefined) return {}
  if (rest.length === 0) return Object.fromEntries(Object.entries(value).filter(([k]) => k !== key))
  const child = value[String(key)]
  return isObject(child) ? { ...value, [String(key)]: without(child, rest) } : value
}
