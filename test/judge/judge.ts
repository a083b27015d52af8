// The judge: parses every file of a bundle, and compares its keys with what those versions accept.
import { parse as parseToml } from 'smol-toml'
import { parseAllDocuments } from 'yaml'
import { gateIn } from '../../src/matrix/feature-gates.ts'
import { kubeProxyFields } from '../../src/matrix/kube-proxy-fields.ts'
import { kubeletFields } from '../../src/matrix/kubelet-fields.ts'
import { inRange } from '../../src/matrix/version.ts'
import { isObject, valueAt, type Json } from '../../src/model/json.ts'
import type { Step } from '../../src/model/step.ts'
import { containerdKeys, crictlKeys, hostsKeys } from './containerd-keys.ts'
import { judgeCommand } from './flags.ts'
import { judgeKeys, type Keys } from './keys.ts'
import {
  credentialProviderKeys,
  joinKeys,
  joinReaders,
  kubeconfigKeys,
  manifestKeys,
  metadataKeys,
} from './kubernetes-keys.ts'
import { antreaAgentKeys, conflistKeys, netConfKeys } from './network-keys.ts'
import { judgeSteps } from './steps.ts'

export interface Versions {
  readonly kubelet: string
  readonly kubeProxy: string
  readonly kubeadm: string
  readonly containerd: string
}

type Judge = (document: unknown, versions: Versions) => string[]

/** Which judge a file gets; each file of a bundle has exactly one, or is read by people only. */
const judges: readonly (readonly [path: RegExp, judge: Judge])[] = [
  [/^files\/containerd\/config\.toml$/, judgeContainerd],
  [/^files\/containerd\/certs\.d\/[^/]+\/hosts\.toml$/, by(hostsKeys, 'containerd')],
  [/^files\/crictl\/crictl\.yaml$/, by(crictlKeys, 'containerd')],
  [/^files\/kubelet\/config\.json$/, judgeKubelet],
  [/^files\/kubelet\/credential-providers\.json$/, judgeProviders],
  [/^files\/kube-proxy\/config\.json$/, judgeKubeProxy],
  [/^files\/kubeadm\/join\.json$/, judgeJoin],
  [/^files\/kubernetes\/[\w-]+\.conf$/, by(kubeconfigKeys, 'kubelet')],
  [/^files\/cni\/10-flannel\.conflist$/, judgeConflist],
  [
    /^(files\/flannel\/net-conf|cluster\/linux-side\/flannel-net-conf)\.json$/,
    by(netConfKeys, 'kubelet'),
  ],
  [/^cluster\/linux-side\/antrea-(windows-)?agent\.json$/, by(antreaAgentKeys, 'kubelet')],
  [/^cluster\/\d\d-[\w-]+\.yaml$/, judgeManifests],
  [/^bom\.json$/, () => []],
  [/^node\.json$/, judgeNode],
]

/** No parser of ours reads them: prose, the static scripts, and a certificate as it was given. */
const unparsed = /^(cluster\/)?README\.md$|^[\w-]+\.ps(m)?1$|^files\/kubernetes\/ca\.crt$/

/** What is wrong with a bundle, each with its file; nothing where all is right. */
export function judgeBundle(files: ReadonlyMap<string, string>, versions: Versions): string[] {
  return [...files].flatMap(([path, text]) => {
    if (unparsed.test(path)) return []
    const judge = judges.find(([pattern]) => pattern.test(path))?.[1]
    if (!judge) return [`${path}: nobody judges this file`]
    const document = parseFile(path, text)
    const faults = 'fault' in document ? [document.fault] : judge(document.value, versions)
    return faults.map((fault) => `${path}: ${fault}`)
  })
}

type Parsed = { readonly value: unknown } | { readonly fault: string }

/** By a real parser of the format; a list of documents for the manifests. */
export function parseFile(path: string, text: string): Parsed {
  try {
    if (path.endsWith('.toml')) return { value: parseToml(text) }
    if (!path.endsWith('.yaml')) return { value: JSON.parse(text) }
    const documents = parseAllDocuments(text, { version: '1.2', strict: true })
    if (!Array.isArray(documents)) return { fault: 'is empty' }
    const [error] = documents.flatMap(({ errors }) => errors)
    if (error) return { fault: error.message }
    const values = documents.map((one): unknown => one.toJS())
    return { value: path.startsWith('cluster/') ? values : values[0] }
  } catch (error) {
    return { fault: `cannot be parsed: ${String(error)}` }
  }
}

function by(keys: Keys, component: keyof Versions): Judge {
  return (document, versions) => judgeKeys(document, keys, versions[component])
}

const at = (document: unknown, ...path: string[]): Json | undefined =>
  isObject(document) ? valueAt(document, path) : undefined

function textAt(document: unknown, key: string): string {
  const value = at(document, key)
  return typeof value === 'string' ? value : ''
}

function judgeContainerd(document: unknown, { containerd }: Versions): string[] {
  const format = Number(at(document, 'version'))
  const keys = containerdKeys[format]
  if (!keys) return [`there is no version ${format} of the format`]
  const readers: Readonly<Record<number, string>> = { 2: '>=1.3', 3: '>=2', 4: '>=2.3' }
  const unread = !inRange(containerd, readers[format] ?? '')
  return [
    ...(unread ? [`containerd ${containerd} refuses version ${format}`] : []),
    ...judgeKeys(document, keys, containerd),
  ]
}

/** What a worker's kubelet needs beyond its defaults; kubeadm's own file would have it from the cluster. */
const needed = [
  ['authentication', 'x509', 'clientCAFile'],
  ['authorization', 'mode'],
  ['clusterDNS'],
  ['clusterDomain'],
  ['resolvConf'],
  ['rotateCertificates'],
]

function judgeKubelet(document: unknown, { kubelet }: Versions): string[] {
  const endpoint = at(document, 'containerRuntimeEndpoint') !== undefined
  const config = kubeletFields['containerRuntimeEndpoint']?.added ?? ''
  return [
    ...judgeKeys(document, kubeletFields, kubelet),
    ...needed
      .filter((path) => at(document, ...path) === undefined)
      .map((path) => `${path.join('.')} is missing`),
    ...judgeGates(at(document, 'featureGates'), kubelet),
    ...(endpoint === inRange(kubelet, `>=${config}`)
      ? []
      : ['containerRuntimeEndpoint is elsewhere']),
    ...(at(document, 'cgroupsPerQOS') === false ? [] : ['cgroupsPerQOS is not false']),
    ...judgeEnforced(JSON.stringify(at(document, 'enforceNodeAllocatable')), kubelet),
  ]
}

/** ValidateKubeletConfiguration, and the merge with a drop-in folder, which loses an empty list. */
function judgeEnforced(list: string | undefined, kubelet: string): string[] {
  if (inRange(kubelet, '<1.31'))
    return list === '[]' ? [] : ['EnforceNodeAllocatable is not supported on Windows']
  if (list === '["none"]') return []
  return ['cgroupsPerQOS must be set to true when "pods" contained in enforceNodeAllocatable']
}

function judgeKubeProxy(document: unknown, { kubeProxy }: Versions): string[] {
  const dsr = at(document, 'winkernel', 'enableDSR') === true
  const gate = at(document, 'featureGates', 'WinDSR')
  return [
    ...judgeKeys(document, kubeProxyFields, kubeProxy),
    ...judgeGates(at(document, 'featureGates'), kubeProxy),
    ...(dsr && gate !== true && gateIn('WinDSR', kubeProxy)?.default === false
      ? ['enableDSR without the gate WinDSR']
      : []),
    ...(at(document, 'mode') === 'kernelspace' ? [] : ['mode is not kernelspace']),
  ]
}

/** A gate that is unknown, or locked to the other value, stops the program. */
function judgeGates(gates: Json | undefined, version: string): string[] {
  return Object.entries(isObject(gates) ? gates : {}).flatMap(([gate, value]) => {
    const stage = gateIn(gate, version)
    if (!stage) return [`gate ${gate} does not exist`]
    if (stage.default === value) return [`gate ${gate} is ${String(value)} anyhow`]
    return stage.locked ? [`gate ${gate} is locked`] : []
  })
}

function judgeProviders(document: unknown, { kubelet }: Versions): string[] {
  const early = inRange(kubelet, '<1.26') && JSON.stringify(document).includes('.k8s.io/v1"')
  return [
    ...(early ? ['v1 came with 1.26'] : []),
    ...judgeKeys(document, credentialProviderKeys, kubelet),
  ]
}

function judgeJoin(document: unknown, { kubeadm }: Versions): string[] {
  const format = textAt(document, 'apiVersion')
  const keys = joinKeys[format]
  if (!keys) return [`there is no ${format}`]
  const reads = inRange(kubeadm, joinReaders[format] ?? '')
  const discovery = textAt(at(document, 'discovery', 'file'), 'kubeConfigPath')
  return [
    ...(at(document, 'discovery', 'file') === undefined ? [] : judgeDiscoveryPath(discovery)),
    ...(reads ? [] : [`kubeadm ${kubeadm} does not read ${format}`]),
    ...judgeKeys(document, keys, kubeadm),
  ]
}

/** Read as a URL first, so that `C:` is a scheme: ValidateDiscoveryKubeConfigPath of kubeadm. */
function judgeDiscoveryPath(path: string): string[] {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(path)?.[1]?.toLowerCase() ?? 'https'
  if (scheme !== 'https') return ['if a URL is used, the scheme must be https']
  const unparsable = path === '' || /%(?![0-9A-Fa-f]{2})/.test(path)
  return unparsable ? ['not a valid HTTPS URL or a file on disk'] : []
}

/** libcni 0.8 of containerd 1.4 and 1.5 makes the endpoint, then cannot read the answer. */
function judgeConflist(document: unknown, { kubelet, containerd }: Versions): string[] {
  const unread = inRange(containerd, '<1.6') && textAt(document, 'cniVersion').startsWith('1.')
  return [
    ...(unread ? [`unsupported CNI result version "${textAt(document, 'cniVersion')}"`] : []),
    ...judgeKeys(document, conflistKeys, kubelet),
  ]
}

function judgeManifests(documents: unknown, { kubelet }: Versions): string[] {
  if (!Array.isArray(documents)) return ['holds no documents']
  return documents.flatMap((document: unknown) => {
    const kind = `${textAt(document, 'apiVersion')} ${textAt(document, 'kind')}`
    const keys = manifestKeys[kind]
    if (!keys) return [`${kind} is not expected here`]
    return judgeKeys(document, { ...metadataKeys, ...keys }, kubelet)
  })
}

function judgeNode(document: unknown, versions: Versions): string[] {
  const steps = isObject(document) ? (document['steps'] as unknown as readonly Step[]) : []
  const commands = steps.flatMap((step) => (step.kind === 'service' ? [step.command] : []))
  return [...judgeSteps(steps), ...commands.flatMap((command) => judgeCommand(command, versions))]
}
