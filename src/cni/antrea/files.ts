// Settings that Antrea's own configuration must have for Windows nodes.
import { defineArtifact } from '../../model/artifact.ts'
import { agentSettings as settings } from './settings.ts'

export const agentSettings = defineArtifact({
  id: 'cluster-antrea-agent',
  plan: ({ spec }) => [
    {
      id: 'cluster-antrea-agent',
      path: 'cluster/linux-side/antrea-agent.json',
      summary: 'Settings of antrea-agent.conf, in both antrea-config and antrea-windows-config.',
      body: {
        kind: 'json',
        value: { trafficEncapMode: 'encap', tunnelType: spec.network.backend },
      },
      settings,
    },
    {
      id: 'cluster-antrea-windows-agent',
      path: 'cluster/linux-side/antrea-windows-agent.json',
      summary: 'Further settings of antrea-agent.conf in antrea-windows-config.',
      body: {
        kind: 'json',
        value: {
          antreaProxy: { proxyAll: true },
          // A rule requires the endpoint: the API server's Service IP does not work yet at this point.
          kubeAPIServerOverride: `https://${spec.join.endpoint ?? ''}`,
        },
      },
      settings,
    },
  ],
})
