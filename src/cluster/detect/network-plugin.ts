// Network-plugin: which plugin the Linux side runs, and the settings that Windows nodes must share.
import { isObject, type JsonObject } from '../../model/json.ts'
import type { Said } from '../../model/detected.ts'
import { cniNames, type CniName, type NetworkMode } from '../../model/spec.ts'
import type { Client } from '../client.ts'
import { documentIn, listAt, nameOf, says, textAt } from './quoting.ts'
import { configMap, type Seen, type Unread, unreadOf } from './reads.ts'

/** Something to know that is no value of a field. */
export interface Note {
  readonly message: string
  readonly where: string
}

/** The document that a plugin reads on Linux. */
interface LinuxDocument {
  readonly value: JsonObject
  /** The object and its key, as a person calls them. */
  readonly where: string
}

export interface Network {
  readonly documents: ReadonlyMap<CniName, LinuxDocument>
  readonly cni: readonly Said[]
  readonly mode: readonly Said[]
  readonly vni: readonly Said[]
  readonly port: readonly Said[]
  readonly macPrefix: readonly Said[]
  readonly podCIDRs: readonly Said[]
  readonly notes: readonly Note[]
  readonly unread: readonly Unread[]
}

const nothing: Network = {
  documents: new Map(),
  cni: [],
  mode: [],
  vni: [],
  port: [],
  macPrefix: [],
  podCIDRs: [],
  notes: [],
  unread: [],
}

/** DaemonSets of plugins that winnode has no files for, by the names that their own manifests give. */
const strangers: Readonly<Record<string, string>> = {
  'aws-node': 'the Amazon VPC CNI',
  'calico-node': 'Calico',
  canal: 'Canal (flannel with the policies of Calico)',
  cilium: 'Cilium',
  kindnet: 'kindnet',
  'kube-router': 'kube-router',
  'weave-net': 'Weave Net',
}

/** The ConfigMap of each plugin: where its manifest puts it, and the key that holds the settings. */
const places: readonly { readonly namespace: string; readonly name: string }[] = [
  { namespace: 'kube-flannel', name: 'kube-flannel-cfg' },
  { namespace: 'kube-system', name: 'kube-flannel-cfg' },
  { namespace: 'kube-system', name: 'antrea-config' },
]

/** DaemonSets say where their settings are; where they cannot be listed, the usual places are tried. */
export async function networkOf(client: Client, seen: Seen): Promise<Network> {
  const sets = seen.lists.get('daemonSets')
  const stranger = sets?.find((set) => strangers[nameOf(set)] !== undefined)
  const own = sets?.filter((set) => pluginOf(set) !== undefined)
  if (stranger && !own?.some((set) => nameOf(set) !== nameOf(stranger)))
    return { ...nothing, notes: [unsupported(stranger)] }
  const candidates = own ? own.flatMap(configMapsOf) : places
  for (const { namespace, name } of candidates) {
    const { path, what } = configMap(name, namespace, name)
    const answer = await client.get(path)
    if (answer.kind === 'found') {
      const network = settingsOf(answer.object, what)
      if (network) return network
    } else if (answer.kind !== 'missing') {
      return { ...nothing, ...(own && named(own)), unread: [unreadOf(what, answer)] }
    }
  }
  return own ? { ...nothing, ...named(own) } : nothing
}

/** The last part of an image's name: registries differ. */
const agents: Readonly<Record<CniName, RegExp>> = {
  flannel: /^flannel$/,
  antrea: /^antrea-agent(?:-|$)/,
}

function pluginOf(set: JsonObject): CniName | undefined {
  const images = listAt(set, ['spec', 'template', 'spec', 'containers']).flatMap((container) =>
    isObject(container) ? (textAt(container, ['image']) ?? []) : [],
  )
  const bases = images.map((image) => image.replace(/@.*$|:[^/:]*$/g, '').replace(/^.*\//, ''))
  return cniNames.find((name) => bases.some((base) => agents[name].test(base)))
}

function named(sets: readonly JsonObject[]): Pick<Network, 'cni'> {
  const [first] = sets
  return { cni: first ? says(whereOf(first), pluginOf(first)) : [] }
}

function whereOf(set: JsonObject): string {
  return `DaemonSet ${textAt(set, ['metadata', 'namespace']) ?? ''}/${nameOf(set)}`
}

function unsupported(set: JsonObject): Note {
  const plugin = strangers[nameOf(set)] ?? ''
  return {
    message: `the cluster runs ${plugin}, which winnode cannot set up; it knows flannel and Antrea`,
    where: whereOf(set),
  }
}

function configMapsOf(set: JsonObject) {
  const namespace = textAt(set, ['metadata', 'namespace']) ?? ''
  return listAt(set, ['spec', 'template', 'spec', 'volumes']).flatMap((volume) => {
    const name = isObject(volume) ? textAt(volume, ['configMap', 'name']) : undefined
    return name === undefined ? [] : [{ namespace, name }]
  })
}

function settingsOf(object: JsonObject, what: string): Network | undefined {
  const flannel = documentIn(object, 'net-conf.json')
  if (flannel) return flannelSettings(flannel, `${what}, net-conf.json`)
  const antrea = documentIn(object, 'antrea-agent.conf')
  return antrea && antreaSettings(antrea, `${what}, antrea-agent.conf`)
}

/** The backends that flanneld has on Windows: pkg/backend, hostgw_windows.go and vxlan_windows.go. */
const modes: Readonly<Record<string, NetworkMode>> = { vxlan: 'overlay', 'host-gw': 'l2bridge' }

/** https://github.com/flannel-io/flannel/blob/master/Documentation/configuration.md */
function flannelSettings(conf: JsonObject, where: string): Network {
  const backend = isObject(conf['Backend']) ? conf['Backend'] : {}
  const type = textAt(backend, ['Type']) ?? 'udp'
  const mode = modes[type]
  const overlay = mode === 'overlay'
  const set = (key: string) => (overlay ? says(`${where}, Backend.${key}`, backend[key]) : [])
  const open = linuxDefaults.filter(({ key }) => overlay && set(key).length === 0)
  return {
    ...nothing,
    documents: new Map([['flannel', { value: conf, where }]]),
    cni: says(where, 'flannel'),
    mode: says(`${where}, Backend.Type ${type}`, mode),
    vni: set('VNI'),
    port: set('Port'),
    macPrefix: set('MacPrefix'),
    podCIDRs: says(
      where,
      ['Network', 'IPv6Network'].flatMap((key) => textAt(conf, [key]) ?? []),
    ),
    notes: [
      ...(mode === undefined
        ? [{ message: `flanneld on Windows has no backend ${type}, only vxlan and host-gw`, where }]
        : []),
      ...open.map(({ key, taken }) => ({ message: `no Backend.${key} is set: ${taken}`, where })),
    ],
  }
}

/** vxlan.go has VNI 1 and leaves the port to Linux; vxlan_windows.go takes 4096 and more, and 4789 only. */
const linuxDefaults = [
  { key: 'VNI', taken: 'Linux nodes take 1, and Windows nodes only 4096 or more' },
  { key: 'Port', taken: 'Linux nodes take 8472, and Windows nodes only 4789' },
]

/** On Windows it has one kind of network: https://github.com/antrea-io/antrea/blob/main/docs/windows.md */
function antreaSettings(conf: JsonObject, where: string): Network {
  const encapsulation = textAt(conf, ['trafficEncapMode'])
  const notes = [
    ...(encapsulation !== undefined && encapsulation !== 'encap'
      ? [{ message: `trafficEncapMode is ${encapsulation}, where Windows nodes need encap`, where }]
      : []),
  ]
  return {
    ...nothing,
    documents: new Map([['antrea', { value: conf, where }]]),
    cni: says(where, 'antrea'),
    mode: says(where, 'transparent' satisfies NetworkMode),
    notes,
  }
}
