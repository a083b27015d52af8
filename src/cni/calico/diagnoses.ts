// Diagnoses of Calico on a node.
import type { DiagnosisRow } from '../../model/tables.ts'

export const diagnoses: readonly DiagnosisRow[] = [
  {
    id: 'calico-waits-for-hns',
    cause:
      'HNS is too slow for Calico’s plugin, which sets up one pod after the other: pods that start together fail.',
    sign: {
      in: 'logs',
      file: 'kubelet|containerd',
      line: String.raw`type=\\*"calico\\*".{0,200}timeout acquiring mutex`,
    },
    fix: 'Restart the machine, and lower kubelet.maxPods; it was reported of a node with 140 HNS endpoints.',
    confidence: 'likely',
    pods: true,
    severity: 'error',
    see: 'https://github.com/projectcalico/calico/issues/7823',
  },
]
