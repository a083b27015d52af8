// The judge: parses every file of a bundle, and compares its keys with the keys that its versions accept.
import { parse as parseToml } from 'smol-toml'
import { parseAllDocuments } from 'yaml'
import { isObject, valueAt, type Json } from '../../src/model/json.ts'
import type { Step } from '../../src/model/step.ts'
import { judgeCommand } from './commands.ts'
import { judgeKubeletFile, judgeKubeProxyFile } from './configurations.ts'
import { containerdKeys, crictlKeys, hostsKeys } from './containerd-keys.ts'
import type { Finding } from './finding.ts'
import { judgeNetConf } from './flannel/net-conf.ts'
import { judgeKeys, type Keys } from './keys.ts'
import { judgeJoin } from './kubeadm/join.ts'
import { judgeKubelet } from './kubelet/kubelet.ts'
import { judgeKubeconfig } from './kubeconfig.ts'
import {
  credentialProviderKeys,
  kubeconfigKeys,
  manifestKeys,
  metadataKeys,
} from './kubernetes-keys.ts'
import { isBefore, isWithin } from './minors.ts'
import {
  antreaAgentKeys,
  antreaPatchKeys,
  calicoKeys,
  conflistKeys,
  winBridgeKeys,
} from './network-keys.ts'
import { judgeSteps } from './steps.ts'

export interface Versions {
  readonly kubelet: string
  readonly kubeProxy: string
  readonly kubeadm: string
  readonly containerd: string
}

type Judge = (document: unknown, versions: Versions, text: string) => readonly string[]

/** The judge of a file; each file of a bundle has exactly one, or is for people only. */
const judges: readonly (readonly [path: RegExp, judge: Judge])[] = [
  [/^files\/containerd\/config\.toml$/, judgeContainerd],
  [/^files\/containerd\/certs\.d\/[^/]+\/hosts\.toml$/, by(hostsKeys, 'containerd')],
  [/^files\/crictl\/crictl\.yaml$/, by(crictlKeys, 'containerd')],
  [/^files\/kubelet\/config\.json$/, judgeKubeletFile],
  [/^files\/kubelet\/credential-providers\.json$/, judgeProviders],
  [/^files\/kube-proxy\/config\.json$/, judgeKubeProxyFile],
  [/^files\/kubeadm\/join\.json$/, judgeJoinFile],
  [/^files\/kubernetes\/[\w-]+\.conf$/, judgeKubeconfigFile],
  [/^files\/cni\/10-flannel\.conflist$/, judgeConflist(conflistKeys)],
  [/^files\/cni\/10-win-bridge\.conflist$/, judgeConflist(winBridgeKeys)],
  [
    /^(files\/flannel\/net-conf|cluster\/linux-side\/flannel-net-conf)\.json$/,
    (_document, _versions, text) => told(judgeNetConf(text).findings),
  ],
  [/^cluster\/linux-side\/antrea-agent\.conf$/, by(antreaAgentKeys, 'kubelet')],
  [/^cluster\/linux-side\/antrea-windows-config\.json$/, by(antreaPatchKeys, 'kubelet')],
  [/^cluster\/linux-side\/calico-(installation|felix|ipam|pool)\.json$/, by(calicoKeys, 'kubelet')],
  [
    /^cluster\/linux-side\/calico-endpoint\.json$/,
    (document, versions) => judgeManifests([document], versions),
  ],
  [
    /^cluster\/linux-side\/amazon-vpc-cni\.json$/,
    (document, versions) => judgeManifests([document], versions),
  ],
  [/^user-data\.txt$/, (_document, versions, text) => judgeUserData(text, versions)],
  [/^cluster\/(\d\d-[\w-]+|kustomization)\.yaml$/, judgeManifests],
  [/^bom\.json$/, () => []],
  [/^node\.json$/, judgeNode],
]

/** Files without a parser: prose, the static scripts, and a certificate as it was given. */
const unparsed =
  /^(cluster\/)?README\.md$|^cluster\/prepare\.sh$|^[\w.-]+\.ps(m)?1$|^files\/kubernetes\/ca\.crt$/

/** What is wrong with a bundle, each with its file; nothing where all is right. */
export function judgeBundle(files: ReadonlyMap<string, string>, versions: Versions): string[] {
  return [...files].flatMap(([path, text]) => {
    if (unparsed.test(path)) return []
    const judge = judges.find(([pattern]) => pattern.test(path))?.[1]
    if (!judge) return [`${path}: no judge for this file`]
    const document = parseFile(path, text)
    const faults = 'fault' in document ? [document.fault] : judge(document.value, versions, text)
    return faults.map((fault) => `${path}: ${fault}`)
  })
}

type Parsed = { readonly value: unknown } | { readonly fault: string }

/** By a real parser of the format; a list of documents for the manifests. */
function parseFile(path: string, text: string): Parsed {
  try {
    if (path.endsWith('.txt')) return { value: text }
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

/** The arguments of the kubelet in the user data of EKS; test/artifacts/eks.test.ts runs it. */
function judgeUserData(text: string, { kubelet }: Versions): readonly string[] {
  const [, line = ''] = /^ +'KubeletExtraArgs' = '([^']*)'$/m.exec(text) ?? []
  const flags = line.split(' ').map((word) => word.replace(/^(--[\w-]+=)"(.*)"$/, '$1$2'))
  // The configuration file is the image's, so there is no other way to set them.
  return told(judgeKubelet({ flags }, kubelet)).filter(
    (message) =>
      !/^warned: Flag --[\w-]+ has been deprecated, This parameter should be/.test(message),
  )
}

function by(keys: Keys, component: keyof Versions): Judge {
  return (document, versions) => judgeKeys(document, keys, versions[component])
}

const at = (document: unknown, ...path: string[]): Json | undefined =>
  isObject(document) ? valueAt(document, path) : undefined

const objectAt = (document: unknown, key: string) => {
  const value = at(document, key)
  return isObject(value) ? value : {}
}

/** A bundle has nothing that its program refuses, passes over or warns of. */
function told(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ verdict, message }) => `${verdict}: ${message}`)
}

function textAt(document: unknown, key: string): string {
  const value = at(document, key)
  return typeof value === 'string' ? value : ''
}

function judgeContainerd(document: unknown, { containerd }: Versions): string[] {
  const format = Number(at(document, 'version'))
  const keys = containerdKeys[format]
  if (!keys) return [`there is no version ${format} of the format`]
  const readers: Readonly<Record<number, string>> = { 2: '1.3-', 3: '2.0-', 4: '2.3-' }
  const unread = !isWithin(containerd, readers[format] ?? '')
  return [
    ...(unread ? [`containerd ${containerd} refuses version ${format}`] : []),
    ...judgeKeys(document, keys, containerd),
  ]
}

function judgeProviders(document: unknown, { kubelet }: Versions): string[] {
  const early = isBefore(kubelet, '1.26') && JSON.stringify(document).includes('.k8s.io/v1"')
  return [
    ...(early ? ['v1 came with 1.26'] : []),
    ...judgeKeys(document, credentialProviderKeys, kubelet),
  ]
}

/** With what Join puts into it on the node: the token, and the node's name. */
function judgeJoinFile(document: unknown, { kubeadm }: Versions): readonly string[] {
  const token = 'abcdef.0123456789abcdef'
  const discovery = at(document, 'discovery')
  const byToken = at(discovery, 'bootstrapToken')
  const complete = {
    ...(isObject(document) ? document : {}),
    discovery: {
      ...(isObject(discovery) ? discovery : {}),
      ...(isObject(byToken)
        ? { bootstrapToken: { ...byToken, token } }
        : { tlsBootstrapToken: token }),
    },
    nodeRegistration: { ...objectAt(document, 'nodeRegistration'), name: 'win-1' },
  }
  return told(judgeJoin(JSON.stringify(complete), kubeadm, () => true))
}

function judgeKubeconfigFile(document: unknown, { kubelet }: Versions): readonly string[] {
  const whole = isObject(document) ? document : {}
  return [
    ...judgeKeys(document, kubeconfigKeys, kubelet),
    ...told(judgeKubeconfig(whole, () => true)),
  ]
}

/** libcni 0.8 of containerd 1.4 and 1.5 makes the endpoint, then cannot read the answer. */
function judgeConflist(keys: Keys): Judge {
  return (document, { kubelet, containerd }) => {
    const unread = isBefore(containerd, '1.6') && textAt(document, 'cniVersion').startsWith('1.')
    return [
      ...(unread ? [`unsupported CNI result version "${textAt(document, 'cniVersion')}"`] : []),
      ...judgeKeys(document, keys, kubelet),
    ]
  }
}

function judgeManifests(documents: unknown, { kubelet }: Versions): readonly string[] {
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
