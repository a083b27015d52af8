// What Antrea's own configuration must say for Windows nodes.
import { defineArtifact } from '../../model/artifact.ts'
import { agentSettings as settings } from './settings.ts'

export const agentSettings = defineArtifact({
  id: 'cluster-antrea-agent',
  plan: ({ spec }) => [
    {
      id: 'cluster-antrea-agent',
      path: 'cluster/linux-side/antrea-agent.json',
      summary:
        'What antrea-agent.conf of antrea-config and of antrea-windows-config must both say.',
      body: {
        kind: 'json',
        value: { trafficEncapMode: 'encap', tunnelType: spec.network.backend },
      },
      settings,
    },
    {
      id: 'cluster-antrea-windows-agent',
      path: 'cluster/linux-side/antrea-windows-agent.json',
      summary: 'What antrea-agent.conf of antrea-windows-config must say besides.',
      body: {
        kind: 'json',
        value: {
          antreaProxy: { proxyAll: true },
          // A rule refuses a profile without it: the service address of the API server does not work yet.
          kubeAPIServerOverride: `https://${spec.join.endpoint ?? ''}`,
        },
      },
      settings,
    },
  ],
})
