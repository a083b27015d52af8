// Detects the network plugin of the Linux nodes, and the settings that Windows nodes must share.
import { cniNames, cniOf, everyCni } from '../../cni/index.ts'
import type { LinuxSide } from '../../cni/plugin.ts'
import { unsupportedPlugins } from '../../cni/unsupported.ts'
import { parseImage } from '../../go/image-reference.ts'
import { isObject, type JsonObject, nameOf, qualifiedName, textAt } from '../../model/json.ts'
import type { RefusedValue } from '../../model/field.ts'
import type { DetectedValue } from '../../model/detected.ts'
import { formatPath } from '../../model/path.ts'
import type { CniName } from '../../model/plugin-settings.ts'
import type { Client } from '../client.ts'
import { documentIn, isJson, listAt, foundAt } from './values.ts'
import { configMap, type Observed, type Unread, unreadOf } from './cluster-objects.ts'

/** A message that is not about a field's value. */
export interface Note {
  readonly message: string
  readonly where: string
}

/** The configuration that a plugin reads on Linux. */
interface LinuxDocument {
  readonly value: JsonObject
  /** The object and its key. */
  readonly where: string
}

export interface BrokenDocument {
  readonly cni: CniName
  readonly what: string
  readonly key: string
}

export interface Network {
  readonly documents: ReadonlyMap<CniName, LinuxDocument>
  readonly cni: readonly DetectedValue[]
  /** Values of its configuration, by dotted name of the field. */
  readonly fields: ReadonlyMap<string, readonly DetectedValue[]>
  readonly notes: readonly Note[]
  /** A configuration that the plugin itself cannot read. */
  readonly broken?: BrokenDocument
  /** A plugin that winnode does not set up, and its DaemonSet. */
  readonly unsupported?: RefusedValue & { readonly title: string; readonly where: string }
  readonly unread: readonly Unread[]
}

const nothing: Network = {
  documents: new Map(),
  cni: [],
  fields: new Map(),
  notes: [],
  unread: [],
}

const defaultConfigMaps = everyCni.flatMap(({ linux }) => linux?.configMaps ?? [])

/** Reads the ConfigMaps that the plugin's DaemonSet mounts, or the default ones where DaemonSets cannot be listed. */
export async function networkOf(client: Client, seen: Observed): Promise<Network> {
  const sets = seen.lists.get('daemonSets')
  const own = sets?.filter((set) => pluginOf(set) !== undefined)
  const [stranger] = (sets ?? []).flatMap((set) => unsupportedBy(set) ?? [])
  if (stranger && !own?.some((set) => whereOf(set) !== stranger.where))
    return { ...nothing, unsupported: stranger }
  const candidates = own ? own.flatMap(configMapsOf) : defaultConfigMaps
  for (const { namespace, name } of candidates) {
    const { path, what } = configMap(name, namespace, name)
    const answer = await client.get(path)
    if (answer.kind === 'found') {
      const network = settingsOf(answer.object, what)
      if (network) return network
    } else if (answer.kind !== 'missing') {
      return { ...nothing, ...(own && cniOfSets(own)), unread: [unreadOf(what, answer)] }
    }
  }
  return own ? await byObject(client, own) : nothing
}

/** Settings of a plugin that are in an object instead of a ConfigMap; the first plugin that makes a network counts. */
async function byObject(client: Client, [set, ...others]: readonly JsonObject[]): Promise<Network> {
  const id = set && pluginOf(set)
  if (!set || id === undefined) return nothing
  const { linux } = cniOf(id)
  const cni = foundAt(whereOf(set), id)
  if (!linux?.object) return { ...nothing, cni }
  const { path, what, missing } = linux.object
  const answer = await client.get(path)
  if (answer.kind === 'found') {
    const network = networkIn(id, linux, { value: answer.object, where: what })
    if (network.cni.length > 0) return network
    const other = await byObject(client, others)
    return { ...other, notes: [...network.notes, ...other.notes] }
  }
  const unread = [unreadOf(what, answer)]
  if (answer.kind === 'missing' && missing)
    return { ...nothing, unsupported: { ...missing, where: whereOf(set) }, unread }
  return { ...nothing, cni, unread }
}

function pluginOf(set: JsonObject): CniName | undefined {
  const images = listAt(set, ['spec', 'template', 'spec', 'containers']).flatMap((container) =>
    isObject(container) ? (parseImage(textAt(container, ['image'])) ?? []) : [],
  )
  const bases = images.map(({ repository }) => repository.replace(/^.*\//, ''))
  return cniNames.find((name) => {
    const { agent, daemonSet } = cniOf(name).linux ?? {}
    return bases.some((base) => agent?.test(base)) || daemonSet?.test(nameOf(set))
  })
}

function cniOfSets(sets: readonly JsonObject[]): Pick<Network, 'cni'> {
  const [first] = sets
  return { cni: first ? foundAt(whereOf(first), pluginOf(first)) : [] }
}

function whereOf(set: JsonObject): string {
  return `DaemonSet ${qualifiedName(set)}`
}

function unsupportedBy(set: JsonObject): Network['unsupported'] {
  const plugin = unsupportedPlugins.find(({ names }) => names.includes(nameOf(set)))
  return plugin && { ...plugin, where: whereOf(set) }
}

function configMapsOf(set: JsonObject) {
  const namespace = textAt(set, ['metadata', 'namespace'])
  return listAt(set, ['spec', 'template', 'spec', 'volumes']).flatMap((volume) => {
    const name = isObject(volume) ? textAt(volume, ['configMap', 'name']) : ''
    return name === '' ? [] : [{ namespace, name }]
  })
}

function settingsOf(object: JsonObject, what: string): Network | undefined {
  for (const { id, title, linux } of everyCni) {
    const key = linux?.key
    if (!linux || key === undefined || textAt(object, ['data', key]) === '') continue
    const where = `${what}, ${key}`
    const value = documentIn(object, key)
    if (value) return networkIn(id, linux, { value, where })
    if (!isJson(key)) continue
    const note = { message: `it is no JSON object, so ${title} cannot read it`, where }
    return {
      ...nothing,
      cni: foundAt(where, id),
      notes: [note],
      broken: { cni: id, what, key },
    }
  }
  return undefined
}

function networkIn(id: CniName, linux: LinuxSide, document: LinuxDocument): Network {
  const settings = linux.read(document.value, document.where)
  const notes = settings.notes.map((message) => ({ message, where: document.where }))
  if (settings.onlyPolicies) return { ...nothing, notes }
  return {
    ...nothing,
    documents: new Map([[id, document]]),
    cni: foundAt(document.where, id),
    fields: new Map(
      settings.fields.map(({ path, value, where }) => [formatPath(path), foundAt(where, value)]),
    ),
    notes,
  }
}
