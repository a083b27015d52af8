// Security advisories of network plugins.
import type { Advisory } from '../../model/rows.ts'

const checked = '2026-11-20'

export const networkAdvisories: readonly Advisory[] = [
  {
    id: 'CVE-2021-20206',
    component: 'cni',
    severity: 'high',
    applies: 'yes',
    affected: '<0.8.1',
    fixedIn: ['0.8.1'],
    summary: 'A plugin type with path parts runs another program.',
    see: 'https://github.com/containernetworking/cni/pull/808',
    checked,
  },
  {
    id: 'CVE-2026-32241',
    component: 'flannel',
    severity: 'high',
    applies: 'conditional',
    condition: 'the backend extension',
    affected: '<0.28.2',
    fixedIn: ['0.28.2'],
    summary: 'A node runs commands on other nodes.',
    see: 'https://github.com/flannel-io/flannel/security/advisories/GHSA-vchx-5pr6-ffx2',
    checked,
  },
  {
    id: 'CVE-2026-25804',
    component: 'antrea',
    severity: 'medium',
    applies: 'yes',
    affected: '<2.3.2 || >=2.4 <2.4.3',
    fixedIn: ['2.3.2', '2.4.3'],
    summary: 'Network policies apply in the wrong order.',
    see: 'https://github.com/antrea-io/antrea/security/advisories/GHSA-86x4-wp9f-wrr9',
    checked,
  },
  {
    id: 'CVE-2026-34992',
    component: 'antrea',
    severity: 'medium',
    applies: 'unverified',
    affected: '>=2.5',
    fixedIn: [],
    summary: 'Some traffic leaves the node in the clear although encryption is on.',
    see: 'https://github.com/antrea-io/antrea/security/advisories/GHSA-qcmw-8mm4-4p28',
    checked,
  },
  {
    id: 'CVE-2026-41184',
    component: 'calico',
    severity: 'medium',
    applies: 'conditional',
    condition: 'others read the node’s logs',
    affected: '<3.31.6',
    fixedIn: ['3.31.6'],
    summary:
      'Secrets are written to the log of the CNI plugin; CVE-2026-41185 is the same in a second place.',
    see: 'https://github.com/projectcalico/calico/pull/12502',
    checked,
  },
]
