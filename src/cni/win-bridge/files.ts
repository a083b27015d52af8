// The CNI conf of win-bridge, with pod addresses from this node's podCIDR.
import type { Artifact } from '../../model/artifact.ts'
import { layout } from '../../model/layout.ts'
import { beforeConf } from '../before-conf.ts'
import { endpointPolicies, policyDerivations } from '../endpoint-policies.ts'
import { conflistSettings } from './settings.ts'

/** https://github.com/containernetworking/plugins/blob/main/plugins/main/windows/win-bridge/sample-v2.conf */
export const conflist: Artifact = ({ spec, spec: { network }, has }) => ({
  id: 'cni-conf',
  path: 'files/cni/10-win-bridge.conflist',
  summary: 'CNI configuration that containerd uses for pods; the first file by name wins.',
  body: {
    kind: 'json',
    value: {
      cniVersion: has('containerd-cni-results-1') ? '1.0.0' : '0.4.0',
      name: network.name,
      plugins: [
        {
          type: 'win-bridge',
          apiVersion: 2,
          capabilities: { dns: true, portMappings: true },
          loopbackDSR: network.dsr,
          ipam: {
            type: 'host-local',
            dataDir: layout.cniNetworks,
            subnet: '',
          },
          policies: endpointPolicies(network),
        },
      ],
    },
  },
  settings: conflistSettings,
  install: {
    path: `${layout.cniConf}\\10-win-bridge.conflist`,
    phase: 'boot',
    // Written last: with this file containerd has a network, the Node becomes Ready, and pods are scheduled.
    after: ['directory-cni-conf', 'host-endpoint', ...beforeConf(spec, [])],
    derive: [
      {
        pointer: '/plugins/0/ipam/subnet',
        value: [{ text: '', fact: 'podSubnet' }],
      },
      ...policyDerivations(network, '/plugins/0/policies'),
    ],
  },
})
