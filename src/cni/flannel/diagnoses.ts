// Diagnoses of flannel on a node: flanneld, and the file that it writes for the CNI plugin.
import type { DiagnosisRow } from '../../model/tables.ts'

export const diagnoses: readonly DiagnosisRow[] = [
  {
    id: 'flanneld-stopped',
    cause: 'flanneld is not running; routes to pods on other nodes are not updated.',
    sign: { in: 'services', name: '^flanneld$', status: '^(?!Running|absent)' },
    fix: 'Run Install-WinNode.ps1 -Phase boot, or wait 35 minutes for the reconcile loop; if it stops again, read its log.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://github.com/flannel-io/flannel/blob/master/Documentation/troubleshooting.md',
    explains: [
      'kube-proxy-stopped',
      'kube-proxy-silent',
      'hns-network-missing',
      'plugin-not-ready',
    ],
    causedBy: ['service-disabled', 'boot-task-gone'],
  },
  {
    id: 'subnet-file-missing',
    cause:
      'The CNI plugin cannot find subnet.env, to which flanneld writes the pod subnet of this node.',
    sign: { in: 'logs', line: String.raw`subnet\.env: The system cannot find`, only: 'unhealthy' },
    fix: 'Read flanneld’s log, or as HostProcess pods that of the DaemonSet winnode-flannel-windows in kube-system; usual causes are its credentials, net-conf.json, or a Node without a podCIDR.',
    confidence: 'likely',
    severity: 'error',
    see: 'https://github.com/microsoft/SDN/issues/244',
    causedBy: ['flanneld-stopped', 'hns-network-missing', 'boot-task-gone'],
  },
  {
    id: 'flanneld-configuration',
    cause: 'flanneld rejects net-conf.json and exits.',
    sign: {
      in: 'logs',
      file: 'flanneld',
      line: 'invalid VXLAN backend config|unknown backend type|error parsing subnet config',
    },
    fix: 'Set VNI 4096 or above and port 4789 in flannel’s ConfigMap; compare with cluster/linux-side.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://github.com/flannel-io/flannel/blob/master/Documentation/backends.md',
    explains: ['hns-network-missing'],
  },
  {
    id: 'subnet-of-earlier-join',
    cause:
      'The Node was deleted and has joined again: its HNS network or kube-proxy’s address is still in its old pod subnet.',
    sign: {
      anyOf: [
        {
          in: 'steps',
          kind: '^addressReservation$',
          detail: "^reserved: '[^']+', expected one of",
        },
        // Also with another plugin that keeps its network.
        { in: 'health', kind: '^node$', evidence: '(^|; )the Node has the pod CIDR ' },
      ],
    },
    fix: 'Run Reset-WinNode.ps1, Install-WinNode.ps1 and Join-WinNode.ps1; in future, run Reset before a deleted Node joins again.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://kubernetes.io/docs/tasks/debug/debug-cluster/windows/',
    explains: ['host-endpoint-missing', 'source-vip-empty'],
  },
]
