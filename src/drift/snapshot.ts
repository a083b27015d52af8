// Compares a snapshot of Test-WinNode.ps1 or a report of Export-WinNodeReport.ps1 with the desired state.
import type { Drift } from '../model/drift.ts'
import { isList, isObject, type JsonObject, ownOf, textAt } from '../model/json.ts'
import { listed } from '../report/listed.ts'
import type { Desired } from './desired.ts'
import { answersOf } from './node-answers.ts'
import { text } from './node-difference.ts'
import { isBrokenOff, unexplained } from './node-ending.ts'
import { stepDrifts } from './node-steps.ts'
import { nodeDrift } from './node-drift.ts'
import { bundleDifference } from './node-object.ts'

interface NodeAnswer {
  readonly node: string | undefined
  readonly drifts: readonly Drift[]
}

const kinds: Readonly<Record<string, string>> = {
  NodeSnapshot: '',
  NodeReport: '',
  NodeResult: 'it is the output of another script; create a snapshot with Test-WinNode.ps1 -AsJson',
  NodeDocument: 'it is the node.json of a bundle; pass its folder instead',
}

/** The apiVersion of every document from a node: templates/node/module/setup/walker/result.ps1. */
const apiVersionOfNode = 'winnode/v1'

/** Whether a node script of this or another winnode version wrote it. */
export function isOfNode(document: JsonObject): boolean {
  return ownOf(kinds, textAt(document, ['kind'])) === ''
}

/** Why a document cannot be read as a node's; empty if it can. */
export function readProblem(document: JsonObject): string {
  const why = ownOf(kinds, textAt(document, ['kind'])) ?? 'it is neither a snapshot nor a report'
  const { apiVersion } = document
  if (why !== '' || apiVersion === apiVersionOfNode) return why
  return `its apiVersion is ${typeof apiVersion === 'string' ? apiVersion : 'missing'}, expected ${apiVersionOfNode}`
}

/** Why a node cannot be compared; empty if it can. */
export function compareProblem(document: JsonObject): string {
  const wrong = readProblem(document)
  const steps = listed(document['steps']) ?? []
  return wrong === '' && steps.length === 0 ? whyNoSteps(document) : wrong
}

/** `document` passes `compareProblem`. `fields` are differences of files in the report; their steps are not reported again. */
export function driftOfNode(
  document: JsonObject,
  desired: Desired,
  fields: readonly Drift[] = [],
): NodeAnswer {
  const steps = listed(document['steps']) ?? []
  const drifts = [
    ...otherBundle(document, desired),
    ...fields,
    ...stepDrifts(steps, desired, { fields, whole: !isBrokenOff(document) }),
    ...answersOf(document),
  ]
  return { node: nodeName(document), drifts: [...drifts, ...unexplained(document, drifts)] }
}

/** The error of a node, as one line. */
function whyNoSteps(document: JsonObject): string {
  const { exitCode: code, steps } = document
  if (isObject(steps)) return `it contains no steps: ${textAt(steps, ['error'])}`
  if (isList(steps) && steps.length > 0)
    return 'its steps were truncated: use ConvertTo-Json with -Depth, or the unmodified file'
  if (typeof code !== 'number' || code === 0) return 'it contains no steps'
  return `the script failed with exit code ${code}: ${textAt(document, ['message'])}`
}

/** The node name in the document. */
export function nodeName({ node, facts }: JsonObject): string | undefined {
  const name = isObject(facts) ? facts['nodeName'] : node
  // An unknown fact contains the reason instead of a value.
  return typeof name === 'string' && /^[\w.-]{1,253}$/.test(name) ? name : undefined
}

/** When a report was made; a snapshot does not say. */
export function madeAt({ made }: JsonObject): string | undefined {
  return typeof made === 'string' && /^[\d-]{10}T[\d:]{8}Z$/.test(made) ? made : undefined
}

/** A file, or a document in it. */
export interface Source {
  readonly source: string
  readonly made?: string | undefined
}

/** It is unknown if both nodes are in the same cluster. */
export function twiceDrift(...sources: readonly Source[]): Drift {
  const names = sources.map(({ source, made }) =>
    made === undefined ? source : `${source} (made ${made})`,
  )
  return nodeDrift({
    id: 'node-twice',
    severity: 'info',
    subject: 'node.json#node',
    message: `duplicate node name, in ${names.join(' and ')}`,
    remedy: 'They count as two nodes; leave out the older file, or compare clusters separately.',
    weight: 'informational',
  })
}

function otherBundle(document: JsonObject, desired: Desired): readonly Drift[] {
  const { name } = document
  // Each step compares the node with its own bundle, which may be an older one.
  if (typeof name !== 'string' || name === desired.name)
    return bundleDifference(text(document, ['nodeDigest']), desired.digest)
  return [
    nodeDrift({
      id: 'bundle-other',
      severity: 'error',
      subject: 'node.json#name',
      message: `bundle name: is ${name}, expected ${desired.name}`,
      remedy: 'Compare the node with its own profile, or install this bundle.',
      weight: 'drift',
      need: 'install',
    }),
  ]
}
