// Security advisories of kube-proxy, and of the API server where a node depends on it.
import type { Advisory } from '../../model/rows.ts'

const checked = '2026-11-20'

export const clusterAdvisories: readonly Advisory[] = [
  {
    id: 'CVE-2021-25736',
    component: 'kube-proxy',
    severity: 'medium',
    applies: 'conditional',
    condition: 'a load balancer that gives no address in the status of its service',
    affected: '<1.21',
    fixedIn: ['1.21.0'],
    summary: 'A local process gets traffic meant for a load balancer on the same port.',
    see: 'https://github.com/kubernetes/kubernetes/pull/99958',
    checked,
  },
  {
    id: 'CVE-2025-4563',
    component: 'kube-apiserver',
    severity: 'low',
    applies: 'conditional',
    condition: 'the gate DynamicResourceAllocation is on',
    affected: '>=1.32 <1.32.6 || >=1.33 <1.33.2',
    fixedIn: ['1.32.6', '1.33.2'],
    summary: 'A node gets round the checks of dynamic resources with a mirror pod.',
    see: 'https://github.com/kubernetes/kubernetes/issues/132151',
    checked,
  },
  {
    id: 'CVE-2025-5187',
    component: 'kube-apiserver',
    severity: 'medium',
    applies: 'yes',
    affected: '<1.31.12 || >=1.32 <1.32.8 || >=1.33 <1.33.4',
    fixedIn: ['1.31.12', '1.32.8', '1.33.4'],
    summary: 'A node deletes itself and comes back with other labels and taints.',
    see: 'https://github.com/kubernetes/kubernetes/issues/133471',
    checked,
  },
]
