// Clouds: kubelet credential providers, the provider ID, and drop-in configuration that cloud images bring.
import { parseDuration } from '../model/go/duration.ts'
import { parseUrl } from '../model/go/url.ts'
import type { Facts } from '../model/facts.ts'
import { defineRule, when } from '../model/rule.ts'

const providers = 'https://kubernetes.io/docs/tasks/administer-cluster/kubelet-credential-provider/'
const path = ['registry', 'credentialProvider'] as const

const providersOf = ({ spec }: Facts) => spec.registry.credentialProvider?.providers ?? []

export const configuredTwice = defineRule({
  id: 'credential-provider-configured-otherwise',
  severity: 'error',
  summary: 'Credential providers are configured in one way.',
  remedy: 'Give config, or at least one of providers.',
  see: providers,
  check: ({ spec }) => {
    const given = spec.registry.credentialProvider
    if (given === undefined) return []
    const listed = given.providers.length > 0
    return [
      ...when(
        listed && given.config !== undefined,
        [...path, 'config'],
        'the providers stand in a file of the node and in the profile; the kubelet reads one of them',
      ),
      ...when(
        !listed && given.config === undefined,
        path,
        'no provider is named, and no file that names one',
      ),
    ]
  },
})

export const programNameLacksExe = defineRule({
  id: 'credential-provider-name-lacks-exe',
  severity: 'error',
  summary: 'Kubelets before 1.30 are given the whole file name of a credential provider.',
  remedy: 'Write the name with .exe.',
  see: 'https://github.com/kubernetes/kubernetes/pull/120291',
  check: (facts) =>
    providersOf(facts).flatMap(({ name }, at) =>
      when(
        !facts.has('kubelet-credential-provider-exe') && !/\.exe$/i.test(name),
        [...path, 'providers', at, 'name'],
        `kubelet ${facts.spec.kubernetes.version} looks for a file that is called ${name}, without .exe`,
      ),
    ),
})

export const providerRefused = defineRule({
  id: 'credential-provider-refused',
  severity: 'error',
  summary: 'The kubelet reads the patterns of credential providers, and how long they count.',
  remedy: 'Write patterns like *.azurecr.io, and durations like 12h.',
  see: 'https://github.com/kubernetes/kubernetes/blob/master/pkg/credentialprovider/plugin/config.go',
  check: (facts) =>
    providersOf(facts).flatMap(({ matchImages, defaultCacheDuration }, at) => [
      ...matchImages.flatMap((pattern, index) => {
        const read = parseUrl(`https://${pattern}`)
        return when(
          'fault' in read,
          [...path, 'providers', at, 'matchImages', index],
          `${JSON.stringify(pattern)} is no pattern of images; the kubelet would not start`,
        )
      }),
      ...when(
        (parseDuration(defaultCacheDuration) ?? 0) < 0,
        [...path, 'providers', at, 'defaultCacheDuration'],
        `${defaultCacheDuration} is less than zero; the kubelet would not start`,
      ),
    ]),
})

export const namedTwice = defineRule({
  id: 'credential-provider-named-twice',
  severity: 'error',
  summary: 'Credential providers differ in their names.',
  remedy: 'Put the patterns of both into one entry.',
  see: providers,
  check: (facts) => {
    const names = providersOf(facts).map(({ name }) => name.toLowerCase())
    return names.flatMap((name, at) =>
      when(
        names.indexOf(name) !== at,
        [...path, 'providers', at, 'name'],
        `${name} is named twice, and the kubelet would not start`,
      ),
    )
  },
})

const machine = 'https://github.com/kubernetes/kubernetes/issues/70897'

export const nameUnknownToCloud = defineRule({
  id: 'node-name-unknown-to-cloud',
  severity: 'warning',
  harm: 'breaks',
  summary: 'A cloud’s controller finds the machine of a node, by its provider id or its name.',
  remedy:
    'Let cloud-init or a metadata script write the name (Google Cloud: instance/name) or the id to a file, and name it in kubelet.nodeName or kubelet.providerID.',
  see: machine,
  check: ({ spec: { kubelet } }) =>
    when(
      kubelet.cloudProvider !== undefined &&
        kubelet.nodeName === undefined &&
        kubelet.providerID === undefined,
      ['kubelet', 'cloudProvider'],
      'the node is called as its DNS host name; where the cloud knows the machine by another name, its controller removes the node',
    ),
})

export const providerIdShared = defineRule({
  id: 'provider-id-shared',
  severity: 'warning',
  harm: 'breaks',
  summary: 'Each machine has a provider id of its own.',
  remedy: 'Give kubelet.providerID a file, or kubelet.nodeName the name of the only machine.',
  see: machine,
  check: ({ spec: { kubelet, network } }) => {
    const { providerID, nodeName } = kubelet
    if (typeof providerID !== 'string' || typeof nodeName === 'string') return []
    const then =
      network.mode === 'l2bridge'
        ? 'the cloud sends the packets for the pods of all of them to that one'
        : 'the cloud’s controller takes them for one'
    const message = `every machine of this bundle says that it is ${providerID}, and ${then}`
    return [{ path: ['kubelet', 'providerID'], message }]
  },
})

export const dropInsTooEarly = defineRule({
  id: 'kubelet-drop-ins-too-early',
  severity: 'error',
  summary: 'The kubelet merges drop-in files into its configuration.',
  remedy: 'Remove kubelet.dropInDirectory, or use a newer Kubernetes.',
  upgrades: ['kubelet'],
  see: 'https://github.com/kubernetes/kubernetes/commit/ee5578be526815ab3ea63abda6cb95588c8265a3',
  check: ({ spec, has }) =>
    when(
      spec.kubelet.dropInDirectory !== undefined && !has('kubelet-drop-ins-merge'),
      ['kubelet', 'dropInDirectory'],
      has('kubelet-config-dir')
        ? `with a drop-in folder kubelet ${spec.kubernetes.version} sets everything else back to the defaults of Linux, and does not start`
        : `kubelet ${spec.kubernetes.version} does not know --config-dir and would not start`,
    ),
})
