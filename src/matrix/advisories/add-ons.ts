// Security advisories of what else runs on a node.
import type { Advisory } from '../../model/rows.ts'

const checked = '2026-11-20'

export const addOnAdvisories: readonly Advisory[] = [
  {
    id: 'CVE-2023-3893',
    component: 'csi-proxy',
    severity: 'high',
    applies: 'yes',
    affected: '<1.1.3 || 2.0.0-alpha.0',
    fixedIn: ['1.1.3', '2.0.0-alpha.1'],
    summary:
      'Who creates a pod becomes administrator of the node: requests reach PowerShell unquoted.',
    see: 'https://github.com/kubernetes/kubernetes/issues/119594',
    checked,
  },
  {
    id: 'CVE-2026-3865',
    component: 'csi-driver-smb',
    severity: 'medium',
    applies: 'yes',
    affected: '<1.20.1',
    fixedIn: ['1.20.1'],
    summary: 'Clean-up of a volume deletes other folders of the share.',
    see: 'https://github.com/kubernetes/kubernetes/issues/138319',
    checked,
  },
  {
    id: 'CVE-2022-46146',
    component: 'windows-exporter',
    severity: 'medium',
    applies: 'conditional',
    condition: 'basic authentication is on',
    affected: '<0.21',
    fixedIn: ['0.21.0'],
    summary: 'The cache of passwords can be poisoned by who knows their hashes.',
    see: 'https://github.com/prometheus/exporter-toolkit/security/advisories/GHSA-7rg2-cxvp-9p7p',
    checked,
  },
]
