// Diagnoses of the bridge that the node makes for win-bridge.
import type { DiagnosisRow } from '../../model/tables.ts'

/** No program of the plugin makes the bridge, so its errors are in the log of the scripts. */
const scripts = String.raw`\\winnode\.log$`

export const diagnoses: readonly DiagnosisRow[] = [
  {
    id: 'bridge-refused',
    cause: 'HNS refuses to create the bridge or the endpoint of the host: no pod gets an address.',
    sign: {
      in: 'logs',
      file: scripts,
      line: String.raw`HNS refused to \w+ \w+: `,
      only: 'unhealthy',
    },
    fix: 'Correct what HNS names: network.adapter for an adapter, the podCIDR of the Node for an address; Remove-HnsNetwork for a network of the same name.',
    confidence: 'likely',
    severity: 'error',
    see: 'https://learn.microsoft.com/virtualization/api/hcn/reference/hcn_error_codes',
    explains: ['hns-network-missing', 'plugin-not-ready'],
  },
  {
    id: 'bridge-without-subnet',
    cause: 'The Node has no podCIDR, so the bridge has no subnet.',
    sign: { in: 'logs', file: scripts, line: 'the Node has no podCIDR', only: 'unhealthy' },
    fix: 'Set --allocate-node-cidrs and --cluster-cidr of kube-controller-manager, or have the cloud controller manager assign podCIDRs.',
    confidence: 'likely',
    severity: 'error',
    see: 'https://kubernetes.io/docs/reference/command-line-tools-reference/kube-controller-manager/',
    explains: ['hns-network-missing', 'plugin-not-ready'],
  },
]
