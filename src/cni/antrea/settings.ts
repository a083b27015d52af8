// Why each setting of Antrea's own configuration must have this value.
import { explain } from '../../model/setting.ts'

const guide = 'https://github.com/antrea-io/antrea/blob/main/docs/windows.md'

export const agentSettings = explain(guide, {
  trafficEncapMode:
    'Traffic between nodes is encapsulated, so the underlying network needs no routes.',
  tunnelType:
    'The tunnel type that the firewall rules allow; must be the same on every node of the cluster.',
  tunnelPort: {
    why: 'The port of the tunnel, which the firewall rule allows; absent with the default of the tunnel type.',
    field: 'network.antrea.tunnelPort',
  },
  'antreaProxy.proxyAll':
    'Antrea replaces kube-proxy, which must not run beside it. The default in antrea-windows-config.',
  kubeAPIServerOverride:
    'The API server’s real endpoint: its Service IP works only after Antrea’s agent has started. Empty by default.',
})

export const patchSettings = explain(guide, {
  'data."antrea-agent.conf"':
    'The whole file: a setting that is in it twice, a misspelt one, or none for antreaProxy is a node without Services.',
})
