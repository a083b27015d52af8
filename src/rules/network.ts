// The network plugin and its HNS network mode: supported combinations, dual stack, clouds, per-machine values.
import { externalNetwork, externalType } from '../cni/external-network.ts'
import { backendsOf, cniNames, cniOf, defaultSettings, modeOf } from '../cni/index.ts'
import { isSameJson } from '../model/json.ts'
import { formatPath } from '../model/path.ts'
import { defineRule, when } from '../model/rule.ts'

const windowsNetwork = 'https://kubernetes.io/docs/concepts/services-networking/windows-networking/'

export const modeOfPlugin = defineRule({
  id: 'network-mode-not-of-plugin',
  severity: 'error',
  summary: 'The network plugin supports the network mode.',
  remedy: 'Set network.mode to a mode that the plugin supports on Windows.',
  see: windowsNetwork,
  check: ({ spec: { network } }) => {
    const { title, modes } = cniOf(network.cni)
    return when(
      modes[network.mode] === undefined,
      ['network', 'mode'],
      `${title} does not support ${network.mode} on Windows; it supports ${Object.keys(modes).join(' and ')}`,
    )
  },
})

export const backendOfPlugin = defineRule({
  id: 'network-backend-not-of-plugin',
  severity: 'error',
  summary: 'The network plugin has the backend in the network mode.',
  remedy: 'Remove network.backend, or set it and network.mode to a pair that the plugin has.',
  see: windowsNetwork,
  check: ({ spec: { network } }) => {
    const { title, modes } = cniOf(network.cni)
    const row = modes[network.mode]
    const backends = row ? backendsOf(row) : []
    const [fitting] = Object.entries(modes).filter(([, one]) =>
      backendsOf(one).includes(network.backend),
    )
    return when(
      row !== undefined && !backends.includes(network.backend),
      ['network', 'backend'],
      backends.every((name) => name === '')
        ? `network.backend has no effect with network.cni ${network.cni}`
        : `${title} has no backend ${network.backend} for ${network.mode} on Windows; ` +
            (fitting
              ? `${network.backend} needs ${fitting[0]}, and ${network.mode} has ${backends.join(', ')}`
              : `it has ${backends.join(', ')}`),
    )
  },
})

/** A profile that changes network.cni can still contain the settings of the plugin before. */
export const settingsOfOtherPlugin = defineRule({
  id: 'plugin-settings-unused',
  severity: 'warning',
  harm: 'limits',
  summary: 'The settings of a network plugin are set only with that plugin.',
  remedy: 'Remove the field, or set network.cni to the plugin of the field.',
  see: windowsNetwork,
  check: ({ spec: { network, join } }) =>
    cniNames
      .filter((name) => name !== network.cni)
      .flatMap((name) => {
        const defaults = new Map<string, unknown>(
          Object.entries(defaultSettings(name, join.endpoint)),
        )
        return Object.entries(network[name]).flatMap(([field, value]) => {
          const path = ['network', name, field]
          return when(
            !isSameJson(value, defaults.get(field)),
            path,
            `${formatPath(path)} has no effect with network.cni ${network.cni}`,
          )
        })
      }),
})

export const routesUnused = defineRule({
  id: 'pod-routes-of-plugin',
  severity: 'warning',
  harm: 'limits',
  summary: 'network.routes is set only for plugins that add no routes.',
  remedy: 'Remove network.routes.',
  see: windowsNetwork,
  check: ({ spec: { network } }) => {
    const { title } = cniOf(network.cni)
    const mode = modeOf(network)
    return when(
      network.routes !== undefined && mode !== undefined && mode.routed !== true,
      ['network', 'routes'],
      `network.routes is ignored: ${title} routes pod traffic between nodes itself`,
    )
  },
})

export const cloudDropsPods = defineRule({
  id: 'l2bridge-in-cloud',
  severity: 'warning',
  harm: 'breaks',
  summary: 'The cloud network forwards pod traffic of l2bridge nodes.',
  remedy:
    'Disable the source/destination check (AWS), or enable IP forwarding and add routes (Azure, Google Cloud), on every node.',
  see: 'https://learn.microsoft.com/virtualization/windowscontainers/container-networking/network-drivers-topologies',
  // A virtual switch of vSphere delivers them: they have the MAC address of the node.
  check: ({ spec: { network, kubelet, targets } }) =>
    when(
      network.mode === 'l2bridge' &&
        kubelet.cloudProvider !== undefined &&
        targets.capi.provider !== 'vsphere',
      ['network', 'mode'],
      'clouds drop packets from pod IPs of l2bridge, which they did not assign',
    ),
})

export const externalNetworkImpossible = defineRule({
  id: 'external-network-impossible',
  severity: 'error',
  summary:
    'network.external is set only where HNS can share its virtual switch with the plugin’s network.',
  remedy: 'Remove network.external, or choose another network.name.',
  see: 'https://github.com/microsoft/SDN/blob/242fb0c3190dbb08d7f9406727be18322218e537/Kubernetes/windows/helper.v2.psm1',
  check: ({ spec: { network } }) => {
    const { external, mode, name } = network
    const type = externalType(network)
    return [
      ...when(
        external && type === undefined,
        ['network', 'external'],
        `with network.mode ${mode}, no other virtual switch may use the adapter of ${cniOf(network.cni).title}`,
      ),
      ...when(
        type !== undefined && name.toLowerCase() === externalNetwork.name.toLowerCase(),
        ['network', 'name'],
        `${name} is the name of the network that network.external creates`,
      ),
    ]
  },
})

export const overlayDualStack = defineRule({
  id: 'overlay-single-stack',
  severity: 'error',
  summary: 'An overlay network is IPv4 single-stack.',
  remedy: 'Remove the IPv6 CIDRs.',
  see: windowsNetwork,
  check: ({ spec: { network } }) => {
    const field = (['podCIDRs', 'serviceCIDRs'] as const).find((name) =>
      network[name].some((cidr) => cidr.includes(':')),
    )
    return field === undefined
      ? []
      : when(
          network.mode === 'overlay',
          ['network', field],
          'IPv6 CIDRs have no effect: kube-proxy falls back to single-stack on an overlay network',
        )
  },
})

export const dualStackNeedsRelease = defineRule({
  id: 'dual-stack-needs-newer-windows',
  severity: 'error',
  summary: 'Dual-stack nodes run Windows Server 2022 or newer.',
  remedy: 'Use Windows Server 2022 or newer, or remove the IPv6 CIDRs.',
  see: windowsNetwork,
  check: ({ spec: { network }, windows }) =>
    when(
      windows.build < 20_348 && network.podCIDRs.some((cidr) => cidr.includes(':')),
      ['network', 'podCIDRs'],
      `${windows.name} does not support dual-stack networking`,
    ),
})

export const singleMachine = defineRule({
  id: 'bundle-for-one-machine',
  severity: 'info',
  harm: 'limits',
  summary: 'The bundle can be used for several machines.',
  remedy: 'Remove the value: the node detects it.',
  see: 'https://kubernetes.io/docs/concepts/architecture/nodes/#node-name-uniqueness',
  check: ({ spec: { network, kubelet } }) => [
    ...when(
      typeof kubelet.nodeName === 'string',
      ['kubelet', 'nodeName'],
      'kubelet.nodeName is set, so the bundle is for one machine only',
    ),
    ...when(
      network.nodeIP !== undefined,
      ['network', 'nodeIP'],
      `network.nodeIP is ${network.nodeIP}, so the bundle is for one machine only`,
    ),
    ...when(
      network.sourceVip !== undefined,
      ['network', 'sourceVip'],
      `network.sourceVip is ${network.sourceVip}, so the bundle is for one machine only`,
    ),
    ...when(
      typeof kubelet.providerID === 'string',
      ['kubelet', 'providerID'],
      'kubelet.providerID is set, so the bundle is for one machine only',
    ),
  ],
})
