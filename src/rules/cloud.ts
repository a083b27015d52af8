// Clouds: kubelet credential providers, the provider ID, and drop-in configuration in cloud images.
import { cniOf } from '../cni/index.ts'
import { isOnAzure } from '../cni/wireserver.ts'
import { parseDuration } from '../go/duration.ts'
import { parseUrl } from '../go/url.ts'
import type { Facts } from '../model/facts.ts'
import { defineRule, repeated, when } from '../model/rule.ts'

const providers = 'https://kubernetes.io/docs/tasks/administer-cluster/kubelet-credential-provider/'
const path = ['registry', 'credentialProvider'] as const

const providersOf = ({ spec }: Facts) => spec.registry.credentialProvider?.providers ?? []

export const configuredTwice = defineRule({
  id: 'credential-provider-configured-otherwise',
  severity: 'error',
  summary: 'Credential providers are configured either in the profile or in a file on the node.',
  remedy: 'Set either credentialProviders.config or credentialProviders.providers.',
  see: providers,
  check: ({ spec }) => {
    const given = spec.registry.credentialProvider
    if (given === undefined) return []
    const listed = given.providers.length > 0
    return [
      ...when(
        listed && given.config !== undefined,
        [...path, 'config'],
        'providers are set both in the profile and in a file on the node; the kubelet reads only one of them',
      ),
      ...when(
        !listed && given.config === undefined,
        path,
        'no credential provider is set, and no configuration file',
      ),
    ]
  },
})

export const programNameLacksExe = defineRule({
  id: 'credential-provider-name-lacks-exe',
  severity: 'error',
  summary: 'Before kubelet 1.30, credential provider names end in .exe.',
  remedy: 'Add .exe to the name.',
  see: 'https://github.com/kubernetes/kubernetes/pull/120291',
  check: (facts) =>
    providersOf(facts).flatMap(({ name }, at) =>
      when(
        !facts.has('kubelet-credential-provider-exe') && !/\.exe$/i.test(name),
        [...path, 'providers', at, 'name'],
        `kubelet ${facts.spec.kubernetes.version} looks for a file named ${name}, without .exe`,
      ),
    ),
})

export const providerRefused = defineRule({
  id: 'credential-provider-refused',
  severity: 'error',
  summary: 'matchImages and defaultCacheDuration of credential providers are valid.',
  remedy: 'Use image patterns such as *.azurecr.io and durations such as 12h.',
  see: 'https://github.com/kubernetes/kubernetes/blob/master/pkg/credentialprovider/plugin/config.go',
  check: (facts) =>
    providersOf(facts).flatMap(({ matchImages, defaultCacheDuration }, at) => [
      ...matchImages.flatMap((pattern, index) => {
        const read = parseUrl(`https://${pattern}`)
        return when(
          'fault' in read,
          [...path, 'providers', at, 'matchImages', index],
          `${JSON.stringify(pattern)} is not a valid image pattern; the kubelet would not start`,
        )
      }),
      ...when(
        (parseDuration(defaultCacheDuration) ?? 0) < 0,
        [...path, 'providers', at, 'defaultCacheDuration'],
        `${defaultCacheDuration} is negative; the kubelet would not start`,
      ),
    ]),
})

export const namedTwice = defineRule({
  id: 'credential-provider-named-twice',
  severity: 'error',
  summary: 'Credential provider names are unique.',
  remedy: 'Merge the entries into one.',
  see: providers,
  check: (facts) =>
    repeated(
      providersOf(facts).map(({ name }, at) => ({
        name: name.toLowerCase(),
        key: name.toLowerCase(),
        path: [...path, 'providers', at, 'name'],
      })),
      (name) => `${name} is listed twice; the kubelet would not start`,
    ),
})

const wireserver =
  'https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16'

/** Rules for pods are in the CNI conf, which not every plugin has from winnode. */
export const wireserverOpen = defineRule({
  id: 'wireserver-open-to-pods',
  severity: 'warning',
  harm: 'exposes',
  summary: 'On Azure, pods cannot reach the Wireserver.',
  remedy:
    'Leave network.blockWireserver unset; with a plugin that has no CNI configuration in the bundle, block TCP 80 and 32526 of 168.63.129.16 in a network policy of the plugin.',
  see: wireserver,
  check: ({ spec }) => {
    const { cni, blockWireserver } = spec.network
    const blocked = blockWireserver && cniOf(cni).provides?.(spec).nodeConf !== undefined
    return when(
      (isOnAzure(spec) || blockWireserver) && !blocked,
      ['network', 'blockWireserver'],
      'every pod can request the provisioning data and certificates of its node from 168.63.129.16',
    )
  },
})

const machine = 'https://github.com/kubernetes/kubernetes/issues/70897'

export const nameUnknownToCloud = defineRule({
  id: 'node-name-unknown-to-cloud',
  severity: 'warning',
  harm: 'breaks',
  summary:
    'The cloud controller manager can find the instance of the node by provider ID or node name.',
  remedy:
    'Write the instance name or ID to a file with cloudbase-init or a metadata script, and set kubelet.nodeName or kubelet.providerID to that file.',
  see: machine,
  check: ({ spec: { kubelet, targets } }) =>
    when(
      kubelet.cloudProvider !== undefined &&
        // These providers of Cluster API name the instance as cloudbase-init names Windows; aws requires nodeName.
        targets.capi.provider === undefined &&
        kubelet.nodeName === undefined &&
        kubelet.providerID === undefined,
      ['kubelet', 'cloudProvider'],
      'the node name is the host name; if the cloud knows the instance by another name, the cloud controller manager deletes the Node',
    ),
})

export const providerIdShared = defineRule({
  id: 'provider-id-shared',
  severity: 'warning',
  harm: 'breaks',
  summary: 'Each node has its own provider ID.',
  remedy:
    'Read kubelet.providerID from a file, or set kubelet.nodeName if the bundle is for one machine.',
  see: machine,
  check: ({ spec: { kubelet, network } }) => {
    const { providerID, nodeName } = kubelet
    if (typeof providerID !== 'string' || typeof nodeName === 'string') return []
    const then =
      network.mode === 'l2bridge'
        ? 'the cloud routes the pod CIDRs of all of them to that instance'
        : 'the cloud controller manager treats them as one instance'
    const message = `every node of this bundle has the provider ID ${providerID}; ${then}`
    return [{ path: ['kubelet', 'providerID'], message }]
  },
})

export const dropInsTooEarly = defineRule({
  id: 'kubelet-drop-ins-too-early',
  severity: 'error',
  summary: 'The kubelet version supports drop-in configuration.',
  remedy: 'Remove kubelet.dropInDirectory, or use a newer Kubernetes.',
  upgrades: ['kubelet'],
  see: 'https://github.com/kubernetes/kubernetes/commit/ee5578be526815ab3ea63abda6cb95588c8265a3',
  check: ({ spec, has }) =>
    when(
      spec.kubelet.dropInDirectory !== undefined && !has('kubelet-drop-ins-merge'),
      ['kubelet', 'dropInDirectory'],
      has('kubelet-config-dir')
        ? `with --config-dir, kubelet ${spec.kubernetes.version} resets all other settings to the Linux defaults and does not start`
        : `kubelet ${spec.kubernetes.version} has no flag --config-dir and would not start`,
    ),
})
