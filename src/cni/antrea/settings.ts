// Why each setting of Antrea's own configuration must have this value.
import { explain } from '../../model/setting.ts'

export const agentSettings = explain(
  'https://github.com/antrea-io/antrea/blob/main/docs/windows.md',
  {
    trafficEncapMode:
      'Traffic between nodes is encapsulated, so the underlying network needs no routes.',
    tunnelType:
      'The tunnel type that the firewall rules allow; must be the same on every node of the cluster.',
    'antreaProxy.proxyAll':
      'Antrea replaces kube-proxy, which must not run beside it. The default in antrea-windows-config.',
    kubeAPIServerOverride:
      'The API server’s real endpoint: its Service IP works only after Antrea’s agent has started. Empty by default.',
  },
)
