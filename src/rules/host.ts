// The machine: Windows features, firewall, proxy, Microsoft Defender.
import { defineRule, when } from '../model/rule.ts'

const ports = 'https://kubernetes.io/docs/reference/networking/ports-and-protocols/'

export const containersFeature = defineRule({
  id: 'containers-feature-missing',
  severity: 'error',
  summary: 'The Windows feature Containers is installed.',
  remedy: 'Add Containers to host.features.',
  see: 'https://kubernetes.io/docs/setup/production-environment/container-runtimes/',
  check: ({ spec }) =>
    when(
      !spec.host.features.some((name) => name.toLowerCase() === 'containers'),
      ['host', 'features'],
      'containerd runs no Windows container without the feature Containers',
    ),
})

export const hyperVFeature = defineRule({
  id: 'hyper-v-feature-missing',
  severity: 'error',
  summary: 'Hyper-V isolation has the feature Hyper-V.',
  remedy: 'Add Hyper-V to host.features.',
  see: 'https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/hyperv-container',
  check: ({ spec }) =>
    when(
      spec.isolation.hyperV && !spec.host.features.some((name) => name.toLowerCase() === 'hyper-v'),
      ['host', 'features'],
      'Hyper-V isolation needs the feature Hyper-V',
    ),
})

export const kubeletOpen = defineRule({
  id: 'kubelet-port-open-to-all',
  severity: 'warning',
  harm: 'exposes',
  summary: 'The kubelet’s port is open to the control plane only.',
  remedy: 'List the control plane’s subnets in host.firewall.kubeletFrom.',
  see: ports,
  check: ({ spec }) =>
    when(
      spec.host.firewall.kubeletFrom.length === 0,
      ['host', 'firewall', 'kubeletFrom'],
      'anybody may connect to the kubelet on 10250; it still asks who calls',
    ),
})

export const nodePortRange = defineRule({
  id: 'node-port-range-malformed',
  severity: 'error',
  summary: 'The range of node ports goes up, within 1 to 65535.',
  remedy: 'Write it like 30000-32767.',
  see: ports,
  check: ({ spec }) => {
    const { nodePortRange: range } = spec.host.firewall
    const [from = 0, to = 0] = range.split('-').map(Number)
    return when(
      from < 1 || to > 65_535 || from > to,
      ['host', 'firewall', 'nodePortRange'],
      `${range} is no range of ports`,
    )
  },
})

export const overlayFirewallOpen = defineRule({
  id: 'tunnel-port-open-to-all',
  severity: 'info',
  harm: 'exposes',
  summary: 'The ports of the network plugin are open to nodes only.',
  remedy: 'List the nodes’ subnets in host.firewall.networkFrom.',
  see: 'https://github.com/flannel-io/flannel/blob/master/Documentation/troubleshooting.md',
  check: ({ spec: { network, host } }) =>
    when(
      network.mode !== 'l2bridge' && host.firewall.networkFrom.length === 0,
      ['host', 'firewall', 'networkFrom'],
      'the tunnel between nodes is open to any address',
    ),
})

export const defenderExclusions = defineRule({
  id: 'defender-does-not-scan-programs',
  severity: 'warning',
  harm: 'exposes',
  summary: 'Defender scans what the node’s programs open.',
  remedy: 'Set host.defenderExclusions to false unless image pulls are too slow.',
  see: 'https://learn.microsoft.com/defender-endpoint/configure-process-opened-file-exclusions-microsoft-defender-antivirus',
  check: ({ spec }) =>
    when(
      spec.host.defenderExclusions,
      ['host', 'defenderExclusions'],
      'files that containerd, the kubelet and the network plugin open are not scanned',
    ),
})

export const proxyNotSystemWide = defineRule({
  id: 'proxy-misses-updates',
  severity: 'info',
  harm: 'limits',
  summary: 'The proxy serves downloads and image pulls.',
  remedy: 'Give credential plugins and Windows Update a proxy of their own.',
  see: 'https://github.com/containerd/containerd/issues/8846',
  check: ({ spec }) =>
    when(
      spec.host.proxy !== undefined,
      ['host', 'proxy'],
      'the proxy is set for containerd, and for downloads of these scripts',
    ),
})

export const proxyOverTls = defineRule({
  id: 'proxy-over-tls',
  severity: 'warning',
  harm: 'breaks',
  summary: 'Windows PowerShell reaches proxies over http only.',
  remedy: 'Give host.proxy.url an http address; what goes through it is encrypted by itself.',
  see: 'https://github.com/microsoft/referencesource/blob/master/System/net/System/Net/ServicePointManager.cs',
  check: ({ spec }) =>
    when(
      spec.host.proxy?.url.startsWith('https:') ?? false,
      ['host', 'proxy', 'url'],
      'image pulls take a proxy over https, but downloads in Windows PowerShell 5.1 fail over it',
    ),
})
