// The network plugin and its HNS network mode: supported combinations, dual stack, clouds, per-machine values.
import { cniOf } from '../cni/index.ts'
import { defineRule, when } from '../model/rule.ts'

const windowsNetwork = 'https://kubernetes.io/docs/concepts/services-networking/windows-networking/'

export const modeOfPlugin = defineRule({
  id: 'network-mode-not-of-plugin',
  severity: 'error',
  summary: 'The plugin has the mode.',
  remedy: 'Choose a mode that the plugin has on Windows.',
  see: windowsNetwork,
  check: ({ spec: { network } }) => {
    const { title, modes } = cniOf(network.cni)
    return when(
      modes[network.mode] === undefined,
      ['network', 'mode'],
      `${title} has no mode ${network.mode} on Windows; it has ${Object.keys(modes).join(' and ')}`,
    )
  },
})

export const routesUnused = defineRule({
  id: 'pod-routes-of-plugin',
  severity: 'warning',
  harm: 'limits',
  summary: 'network.routes is for plugins that add no routes.',
  remedy: 'Remove network.routes.',
  see: windowsNetwork,
  check: ({ spec: { network } }) => {
    const { title, modes } = cniOf(network.cni)
    const mode = modes[network.mode]
    return when(
      network.routes !== undefined && mode !== undefined && mode.routed !== true,
      ['network', 'routes'],
      `${title} brings pod traffic to other nodes itself, and network.routes is ignored`,
    )
  },
})

export const cloudDropsPods = defineRule({
  id: 'l2bridge-in-cloud',
  severity: 'warning',
  harm: 'breaks',
  summary: 'The network below an l2bridge lets pods through.',
  remedy:
    'Turn the source and destination check off (AWS), or IP forwarding and routes on (Azure, Google), for every node.',
  see: 'https://learn.microsoft.com/virtualization/windowscontainers/container-networking/network-drivers-topologies',
  check: ({ spec: { network, kubelet } }) =>
    when(
      network.mode === 'l2bridge' && kubelet.cloudProvider !== undefined,
      ['network', 'mode'],
      'clouds drop packets of addresses that they did not give out, and pods on l2bridge have such',
    ),
})

export const overlayDualStack = defineRule({
  id: 'overlay-single-stack',
  severity: 'error',
  summary: 'An overlay network has one address family.',
  remedy: 'Leave the IPv6 CIDRs out.',
  see: windowsNetwork,
  check: ({ spec: { network } }) =>
    when(
      network.mode === 'overlay' &&
        [...network.podCIDRs, ...network.serviceCIDRs].some((cidr) => cidr.includes(':')),
      ['network', 'podCIDRs'],
      'kube-proxy falls back to one address family on an overlay network',
    ),
})

export const dualStackNeedsRelease = defineRule({
  id: 'dual-stack-needs-newer-windows',
  severity: 'error',
  summary: 'Two address families need Windows Server 2022.',
  remedy: 'Use Windows Server 2022 or newer, or one family.',
  see: windowsNetwork,
  check: ({ spec: { network }, windows }) =>
    when(
      windows.build < 20_348 && network.podCIDRs.some((cidr) => cidr.includes(':')),
      ['network', 'podCIDRs'],
      `HNS of ${windows.name} has no dual stack`,
    ),
})

export const singleMachine = defineRule({
  id: 'bundle-for-one-machine',
  severity: 'info',
  harm: 'limits',
  summary: 'The bundle serves every machine of its kind.',
  remedy: 'Leave the value out: the node finds it.',
  see: 'https://kubernetes.io/docs/concepts/architecture/nodes/#node-name-uniqueness',
  check: ({ spec: { network, kubelet } }) => [
    ...when(
      typeof kubelet.nodeName === 'string',
      ['kubelet', 'nodeName'],
      'the name makes this a bundle for one machine',
    ),
    ...when(
      network.nodeIP !== undefined,
      ['network', 'nodeIP'],
      `the address ${network.nodeIP} makes this a bundle for one machine`,
    ),
    ...when(
      network.sourceVip !== undefined,
      ['network', 'sourceVip'],
      `the source VIP ${network.sourceVip} makes this a bundle for one machine`,
    ),
    ...when(
      typeof kubelet.providerID === 'string',
      ['kubelet', 'providerID'],
      'the provider id makes this a bundle for one machine',
    ),
  ],
})
