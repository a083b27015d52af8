// The machine: Windows features, firewall, proxy, Microsoft Defender.
import { cniOf } from '../cni/index.ts'
import { settingOf } from '../components/config-table.ts'
import { kubelet } from '../components/kubelet.ts'
import { isLoopback, kubeletListener } from '../components/listeners.ts'
import { windowsFeatures } from '../matrix/windows-features.ts'
import { defineRule, when } from '../model/rule.ts'
import { nearest } from '../text/nearest.ts'

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
      'the Windows feature Containers is not in host.features; containerd needs it',
    ),
})

export const hyperVFeature = defineRule({
  id: 'hyper-v-feature-missing',
  severity: 'error',
  summary: 'The Windows feature Hyper-V is installed for Hyper-V isolation.',
  remedy: 'Add Hyper-V to host.features.',
  see: 'https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/hyperv-container',
  check: ({ spec }) =>
    when(
      spec.isolation.hyperV && !spec.host.features.some((name) => name.toLowerCase() === 'hyper-v'),
      ['host', 'features'],
      'the Windows feature Hyper-V is not in host.features; Hyper-V isolation needs it',
    ),
})

const knownFeatures = new Set(windowsFeatures.map((name) => name.toLowerCase()))

/** A warning: a newer Windows Server may have more features. */
export const unknownFeature = defineRule({
  id: 'feature-unknown',
  severity: 'warning',
  harm: 'breaks',
  summary: 'Windows Server has each feature of host.features.',
  remedy: 'Use a name that Get-WindowsFeature lists.',
  see: 'https://learn.microsoft.com/powershell/module/servermanager/get-windowsfeature',
  check: ({ spec }) =>
    spec.host.features.flatMap((name, at) => {
      const guess = nearest(name, windowsFeatures)
      return when(
        !knownFeatures.has(name.toLowerCase()),
        ['host', 'features', at],
        `unknown Windows feature ${name}; Install-WinNode.ps1 fails if Windows has no such feature`,
        guess === undefined ? {} : { remedy: `Did you mean ${guess}?` },
      )
    }),
})

export const kubeletOpen = defineRule({
  id: 'kubelet-port-open-to-all',
  severity: 'info',
  harm: 'exposes',
  exposure: true,
  countedAs: 'open kubelet port',
  summary: 'Only the control plane can connect to the kubelet port.',
  remedy: 'Set host.firewall.kubeletFrom to the control plane’s subnets.',
  see: ports,
  check: (facts) => {
    const listener = kubeletListener(facts)
    return when(
      facts.spec.host.firewall.kubeletFrom.length === 0 &&
        listener !== undefined &&
        !isLoopback(listener),
      ['host', 'firewall', 'kubeletFrom'],
      `port ${listener?.port ?? 0} is open to all addresses (requests are still authenticated)`,
    )
  },
})

export const kubeletUnreachable = defineRule({
  id: 'kubelet-api-unreachable',
  severity: 'warning',
  harm: 'breaks',
  summary: 'The API server can connect to the kubelet.',
  remedy: 'Remove the setting.',
  see: 'https://kubernetes.io/docs/concepts/architecture/control-plane-node-communication/#api-server-to-kubelet',
  check: (facts) => {
    const { value, path } = settingOf(kubelet, facts, 'enableServer')
    const { value: address, path: at } = settingOf(kubelet, facts, 'address')
    const listener = kubeletListener(facts)
    const effect = 'kubectl logs, kubectl exec and metrics of pods do not work'
    return [
      ...when(
        value === false,
        path,
        `enableServer is false, and the kubelet has no API; ${effect}`,
      ),
      ...when(
        listener !== undefined && isLoopback(listener),
        at,
        `the kubelet listens on ${JSON.stringify(address)} only; ${effect}`,
      ),
    ]
  },
})

export const overlayFirewallOpen = defineRule({
  id: 'tunnel-port-open-to-all',
  severity: 'info',
  harm: 'exposes',
  exposure: true,
  countedAs: 'open network plugin ports',
  summary: 'Only nodes can connect to the ports of the network plugin.',
  remedy: 'Set host.firewall.networkFrom to the nodes’ subnets.',
  see: ports,
  check: ({ spec: { network, host } }) => {
    const see = cniOf(network.cni).ports?.(network)
    if (see === undefined || host.firewall.networkFrom.length > 0) return []
    const message = 'the ports of the network plugin are open to all addresses'
    return [{ path: ['host', 'firewall', 'networkFrom'], message, see }]
  },
})

export const defenderExclusions = defineRule({
  id: 'defender-does-not-scan-programs',
  severity: 'info',
  harm: 'exposes',
  exposure: true,
  countedAs: 'Defender exclusions',
  summary: 'Microsoft Defender scans container images and files that node components open.',
  remedy:
    'Scan images in the registry, or set host.defenderExclusions to false, which makes image pulls slower.',
  see: 'https://learn.microsoft.com/defender-endpoint/configure-process-opened-file-exclusions-microsoft-defender-antivirus',
  check: ({ spec }) =>
    when(
      spec.host.defenderExclusions,
      ['host', 'defenderExclusions'],
      'Microsoft Defender does not scan container images, nor files opened by containerd, the kubelet and the network plugin',
    ),
})

export const proxyNotSystemWide = defineRule({
  id: 'proxy-misses-updates',
  severity: 'info',
  harm: 'limits',
  summary: 'The proxy is used for downloads and image pulls only.',
  remedy: 'Configure the proxy of Windows Update and credential plugins separately.',
  see: 'https://github.com/containerd/containerd/issues/8846',
  check: ({ spec }) =>
    when(
      spec.host.proxy !== undefined,
      ['host', 'proxy'],
      'the proxy applies to containerd and these scripts only, not to Windows Update or credential plugins',
    ),
})

export const proxyOverTls = defineRule({
  id: 'proxy-over-tls',
  severity: 'warning',
  harm: 'breaks',
  summary: 'The proxy is reached over http, as Windows PowerShell 5.1 requires.',
  remedy:
    'Set host.proxy.url to an http address; https downloads through it stay encrypted end to end.',
  see: 'https://github.com/microsoft/referencesource/blob/master/System/net/System/Net/ServicePointManager.cs',
  check: ({ spec }) =>
    when(
      spec.host.proxy?.url.startsWith('https:') ?? false,
      ['host', 'proxy', 'url'],
      'downloads in Windows PowerShell 5.1 fail through an https proxy; only image pulls work',
    ),
})
