// Why each setting of Antrea's own configuration has to have this value.
import { explain } from '../../model/setting.ts'

export const agentSettings = explain(
  'https://github.com/antrea-io/antrea/blob/main/docs/windows.md',
  {
    trafficEncapMode:
      'Traffic between nodes is encapsulated: it needs nothing of the network below.',
    tunnelType: 'geneve, for which the firewall is opened; the same on every node of the cluster.',
    'antreaProxy.proxyAll':
      'Antrea takes the place of kube-proxy, which must not run beside it. The default of its Windows configuration.',
    kubeAPIServerOverride:
      'The real address of the API server: its service address works only once Antrea does. Empty by default.',
  },
)
