// Cases of labels, taints and names as profiles.
import { isList, isObject, valueAt, type Json } from '../../src/model/json.ts'
import type { Case, Express, Expression } from './case.ts'
import { entriesOf, put } from './document.ts'

const own = 'system:node:win-1'

/** Groups that are no profile, each with why. */
const foreign: Readonly<Record<string, string>> = {
  'node-create': 'the kubelet makes its Node, not a profile',
  'node-change': 'a profile says how a node registers, not what is changed later',
  'runtime-class': 'winnode writes the RuntimeClass',
  pod: 'pods are no part of a profile',
  secret: 'winnode writes the Secrets',
  'service-account': 'winnode writes the ServiceAccounts',
  'role-binding': 'winnode writes the bindings',
  'bootstrap-token': 'tokens are no part of a profile',
  'kubelet-registers': 'it shows a course of events, not whether values are taken',
  'node-label-by-admin': 'a profile has the labels that the node gives itself',
}

export const expressObject: Express = (one): Expression => {
  const because = foreign[one.group ?? '']
  if (because !== undefined) return { because }
  const { change, labels, registerWithTaints, name, flag } = one.input ?? {}
  if (labels !== undefined)
    return entriesOf(labels).some((pair) => isChangedByFlag(pair))
      ? { because: 'flags are cut at commas, and lose spaces around' }
      : { profile: put(['kubelet', 'labels'], labels) }
  if (registerWithTaints !== undefined) return taintsOf(registerWithTaints)
  if (typeof name === 'string') return { profile: put(['kubelet', 'nodeName'], name) }
  if (typeof flag === 'string') return { because: 'winnode writes the flags' }
  return ofChange(one, change)
}

const isChangedByFlag = ([key, value]: readonly [string, Json]) =>
  [key, value].some(
    (text) => typeof text === 'string' && (text.includes(',') || text !== text.trim()),
  )

const known = ['key', 'value', 'effect']

function taintsOf(taints: Json): Expression {
  const list = isList(taints) ? taints : []
  const names = list.flatMap((taint) => (isObject(taint) ? Object.keys(taint) : []))
  return names.every((name) => known.includes(name))
    ? { profile: put(['kubelet', 'taints'], taints) }
    : { because: 'taints of a profile have a key, a value and an effect' }
}

/** What the Node has in the cases that change it. */
const base = { key: 'os', value: 'windows', effect: 'NoSchedule' }

/** Labels of a whole Node that no admission plugin reserves. */
function labelsOf(node: Json): Expression {
  const all = entriesOf(valueAt(node, ['metadata', 'labels']))
  const free = all.filter(([key]) => !/(?:^|\.)kubernetes\.io\//.test(key))
  return { profile: free.length > 0 ? put(['kubelet', 'labels'], Object.fromEntries(free)) : {} }
}

function ofChange(one: Case, change: Json | undefined): Expression {
  const entries = entriesOf(change)
  if (one.group === 'node-name') return nameOf(entries, one.input?.['as'])
  const node = one.input?.['object']
  if (entries.length === 0 && node !== undefined) return labelsOf(node)
  if (one.input?.['as'] !== own) return { because: 'the client is not the node' }
  const [[pointer, value] = ['', undefined]] = entries
  if (entries.length !== 1 || value === undefined) return { because: 'it changes several parts' }
  const label = /^\/metadata\/labels\/(.*)$/s.exec(pointer)?.[1]
  if (label !== undefined) {
    if (value === null) return { because: 'it takes away what the kubelet gives itself' }
    const key = label.replaceAll('~1', '/').replaceAll('~0', '~')
    return { profile: put(['kubelet', 'labels'], { [key]: value }) }
  }
  if (pointer === '/spec/taints/-') return taintsOf([base, value])
  if (pointer === '/spec/taints') return taintsOf(value)
  return { because: 'a profile has no such part of a Node' }
}

function nameOf(entries: readonly (readonly [string, Json])[], asks: Json | undefined): Expression {
  const name = new Map(entries).get('/metadata/name')
  if (typeof name === 'string' && name !== '' && asks !== `system:node:${name}`)
    return { because: 'another node asks' }
  return typeof name === 'string'
    ? { profile: put(['kubelet', 'nodeName'], name) }
    : { because: 'it asks of the label, not of the name' }
}
