// Versions of the kubelet that misbehave on Windows.
import type { Defect } from '../../model/rows.ts'

const checked = '2026-11-20'

export const kubeletDefects: readonly Defect[] = [
  {
    id: 'kubelet-sockets',
    component: 'kubelet',
    range: '>=1.31 <1.31.1',
    severity: 'error',
    effect: 'it no longer recognises socket files, and its start or its plugins fail',
    fixedIn: ['1.31.1'],
    see: 'https://github.com/kubernetes/kubernetes/pull/126976',
    checked,
  },
  {
    id: 'kubelet-wmic',
    component: 'kubelet',
    range: '<1.28.13 || >=1.29 <1.29.8 || >=1.30 <1.30.4',
    severity: 'error',
    effect: 'it calls wmic, which Windows Server 2025 no longer installs',
    fixedIn: ['1.28.13', '1.29.8', '1.30.4', '1.31.0'],
    builds: [26100],
    see: 'https://github.com/kubernetes/kubernetes/issues/126012',
    checked,
  },
  {
    id: 'kubelet-memory-leak',
    component: 'kubelet',
    range: '>=1.36 <1.36.3',
    severity: 'warning',
    effect: 'it leaks memory with every look at a pod',
    fixedIn: ['1.36.3', '1.37.0'],
    see: 'https://github.com/kubernetes/kubernetes/issues/139850',
    checked,
  },
  {
    id: 'kubelet-subpath-handles',
    component: 'kubelet',
    range: '<1.37',
    severity: 'info',
    effect: 'pods with several subPath mounts can stay in Terminating',
    fixedIn: ['1.37.0'],
    see: 'https://github.com/kubernetes/kubernetes/pull/138367',
    checked,
  },
]
