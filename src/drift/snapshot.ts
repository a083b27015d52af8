// Snapshot: what Test-WinNode.ps1 and Export-WinNodeReport.ps1 say of a node, beside what is described.
import type { Drift } from '../model/drift.ts'
import { isObject, type JsonObject } from '../model/json.ts'
import type { Desired } from './desired.ts'
import { answersOf } from './node-answers.ts'
import { stepDrifts } from './node-steps.ts'
import { told } from './node-drift.ts'
import { itemsOf, itemText } from './node-text.ts'

/** `unread` is why the document says nothing of a node. */
export type NodeAnswer =
  | { readonly node: string | undefined; readonly drifts: readonly Drift[] }
  | { readonly unread: string }

const kinds: Readonly<Record<string, string>> = {
  NodeSnapshot: '',
  NodeReport: '',
  NodeResult: 'it is the result of another script: Test-WinNode.ps1 -AsJson makes a snapshot',
  NodeDocument: 'it is the node.json of a bundle: name the folder around it',
}

/** Why a document says nothing of a node; an empty text where it does. */
export function whyUnread(document: JsonObject): string {
  return kinds[itemText(document, 'kind')] ?? 'it is neither a snapshot nor a report'
}

/** `fields` are differences of files that the report holds; their steps need not be told besides. */
export function driftOfNode(
  document: JsonObject,
  desired: Desired,
  fields: readonly Drift[] = [],
): NodeAnswer {
  const wrong = whyUnread(document)
  if (wrong !== '') return { unread: wrong }
  const steps = itemsOf(document['steps'])
  const code = document['exitCode']
  if (steps.length === 0 && typeof code === 'number' && code !== 0)
    return { unread: `the script ended with ${code}: ${itemText(document, 'message')}` }
  return {
    node: nodeName(document),
    drifts: [
      ...otherBundle(document, desired),
      ...fields,
      ...stepDrifts(steps, desired, fields),
      ...answersOf(document),
    ],
  }
}

/** What a node calls itself. */
export function nodeName({ node, facts }: JsonObject): string | undefined {
  const name = isObject(facts) ? facts['nodeName'] : node
  // A fact that is not known has the reason in its place.
  return typeof name === 'string' && /^[\w.-]+$/.test(name) ? name : undefined
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
