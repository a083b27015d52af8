// Snapshot: what Test-WinNode.ps1 and Export-WinNodeReport.ps1 say of a node, beside what is described.
import type { Drift } from '../model/drift.ts'
import { isList, isObject, type JsonObject } from '../model/json.ts'
import { listed } from '../report/listed.ts'
import type { Desired } from './desired.ts'
import { answersOf } from './node-answers.ts'
import { isBrokenOff, unexplained } from './node-ending.ts'
import { stepDrifts } from './node-steps.ts'
import { told } from './node-drift.ts'
import { itemText, rowOf } from './node-text.ts'

export interface NodeAnswer {
  readonly node: string | undefined
  readonly drifts: readonly Drift[]
}

const kinds: Readonly<Record<string, string>> = {
  NodeSnapshot: '',
  NodeReport: '',
  NodeResult: 'it is the result of another script: Test-WinNode.ps1 -AsJson makes a snapshot',
  NodeDocument: 'it is the node.json of a bundle: name the folder around it',
}

/** Of all that a node writes: templates/node/module/walker/result.ps1. */
const form = 'winnode/v1'

/** Whether a script wrote it on a node, of this winnode or another one. */
export function isOfNode(document: JsonObject): boolean {
  return rowOf(kinds, itemText(document, 'kind')) === ''
}

/** Why a document says nothing of a node; an empty text where it does. */
export function whyUnread(document: JsonObject): string {
  const why = rowOf(kinds, itemText(document, 'kind')) ?? 'it is neither a snapshot nor a report'
  const { apiVersion } = document
  if (why !== '' || apiVersion === form) return why
  return `its apiVersion is ${typeof apiVersion === 'string' ? apiVersion : 'not there'}, and this winnode reads ${form}`
}

/** Why nothing of a node can be compared; an empty text where it can. */
export function whyUncompared(document: JsonObject): string {
  const wrong = whyUnread(document)
  const steps = listed(document['steps']) ?? []
  return wrong === '' && steps.length === 0 ? whyNoSteps(document) : wrong
}

/** Of a document that can be compared. `fields` are differences of files in the report; their steps are not reported again. */
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

/** One line of what a node says went wrong. */
function whyNoSteps(document: JsonObject): string {
  const { exitCode: code, steps } = document
  if (isObject(steps)) return `it holds no steps: ${itemText(steps, 'error')}`
  if (isList(steps) && steps.length > 0)
    return 'its steps were cut: ConvertTo-Json takes a -Depth, or leave the file as the node wrote it'
  if (typeof code !== 'number' || code === 0) return 'it holds no steps'
  return `the script ended with ${code}: ${itemText(document, 'message')}`
}

/** What a node calls itself. */
export function nodeName({ node, facts }: JsonObject): string | undefined {
  const name = isObject(facts) ? facts['nodeName'] : node
  // A fact that is not known has the reason in its place.
  return typeof name === 'string' && /^[\w.-]{1,253}$/.test(name) ? name : undefined
}

/** Nothing says which of them is the later one, or whether both are nodes of one cluster. */
export function twiceDrift(source: string): Drift {
  return told({
    id: 'node-twice',
    severity: 'info',
    subject: 'node.json#node',
    message: `a node of this name is told of before; this is what ${source} says`,
    remedy:
      'Each counts as a node of its own: leave the older one out, or name clusters one by one.',
    weight: 'told',
  })
}

function otherBundle({ name }: JsonObject, desired: Desired): readonly Drift[] {
  if (typeof name !== 'string' || name === desired.name) return []
  return [
    told({
      id: 'bundle-other',
      severity: 'error',
      subject: 'node.json#name',
      message: `its bundle is ${name}, and the profile describes ${desired.name}`,
      remedy: 'Compare it with the profile that it was made from, or install this one.',
      weight: 'drift',
      need: 'install',
    }),
  ]
}
