// The configuration of Antrea's agents on Windows nodes, and the patch that puts it into the cluster.
import type { Artifact } from '../../model/artifact.ts'
import type { JsonObject } from '../../model/json.ts'
import type { NodeSpec } from '../../model/spec.ts'
import { agentSettings as settings, patchSettings } from './settings.ts'

/**
 * All of antrea-agent.conf of Windows nodes: its other settings have the defaults of Antrea. Added to the file that
 * Antrea publishes, they would be in it twice, and its agent ends; the feature gates of Linux nodes end it, too.
 */
const agentConf = ({ network, join }: NodeSpec): JsonObject => ({
  trafficEncapMode: 'encap',
  tunnelType: network.backend,
  ...(network.antrea.tunnelPort !== undefined && { tunnelPort: network.antrea.tunnelPort }),
  antreaProxy: { proxyAll: true },
  // A rule requires the endpoint: the API server's Service IP does not work yet at this point.
  kubeAPIServerOverride: `https://${join.endpoint ?? ''}`,
})

export const patchFile = 'cluster/linux-side/antrea-windows-config.json'

export const agentSettings: Artifact = ({ spec }) => {
  const conf = agentConf(spec)
  return [
    {
      id: 'cluster-antrea-agent',
      path: 'cluster/linux-side/antrea-agent.conf',
      summary: 'The whole antrea-agent.conf for Windows nodes, as JSON, which is YAML.',
      body: { kind: 'json', value: conf },
      settings,
    },
    {
      id: 'cluster-antrea-windows-config',
      path: patchFile,
      summary: 'The patch that puts it into the ConfigMap antrea-windows-config.',
      body: {
        kind: 'json',
        value: { data: { 'antrea-agent.conf': `${JSON.stringify(conf, undefined, 2)}\n` } },
      },
      settings: patchSettings,
    },
  ]
}
