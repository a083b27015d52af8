// What Antrea's own configuration must say for Windows nodes.
import { defineArtifact } from '../../model/artifact.ts'

export const agentSettings = defineArtifact({
  id: 'cluster-antrea-agent',
  plan: ({ spec }) => [
    {
      id: 'cluster-antrea-agent',
      path: 'cluster/linux-side/antrea-agent.json',
      summary: 'What antrea-agent.conf of antrea-config and of antrea-windows-config must say.',
      body: {
        kind: 'json',
        value: {
          trafficEncapMode: 'encap',
          tunnelType: spec.network.backend,
          antreaProxy: { proxyAll: true },
          // Nothing else makes the service address of the API server reachable without kube-proxy.
          ...(spec.join.endpoint === undefined
            ? {}
            : { kubeAPIServerOverride: `https://${spec.join.endpoint}` }),
        },
      },
    },
  ],
})
