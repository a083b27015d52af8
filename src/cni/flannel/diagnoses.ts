// Diagnoses of flannel on a node: its daemon, and the file that it writes for the CNI plugin.
import type { Diagnosis } from '../../report/diagnosis.ts'
import { log, service, ifUnhealthy } from '../../report/signs.ts'

export const diagnoses: readonly Diagnosis[] = [
  {
    id: 'flanneld-stopped',
    cause: 'flanneld does not run: routes to the pods of other nodes are not kept.',
    sign: service(/^flanneld$/, /^(?!Running|absent)/),
    fix: 'Run Install-WinNode.ps1 -Phase boot, or wait five minutes for the loop; where it ends again, its log says why.',
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
    cause: 'The plugin does not find the file in which flanneld says the subnet of this node.',
    sign: ifUnhealthy(log(/subnet\.env: The system cannot find/)),
    fix: 'flanneld’s log says why it has not written it: most often its account, its net-conf.json, or a Node without a podCIDR.',
    confidence: 'likely',
    severity: 'error',
    see: 'https://github.com/microsoft/SDN/issues/244',
    causedBy: ['flanneld-stopped', 'hns-network-missing', 'boot-task-gone'],
  },
  {
    id: 'flanneld-configuration',
    cause: 'flanneld does not take its network configuration, and ends.',
    sign: log(
      /invalid VXLAN backend config|unknown backend type|error parsing subnet config/,
      /flanneld/,
    ),
    fix: 'Correct net-conf.json of the Linux side: VNI 4096 or above and port 4789; compare with cluster/linux-side.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://github.com/flannel-io/flannel/blob/master/Documentation/backends.md',
    explains: ['hns-network-missing'],
  },
]
