// Behaviours of the kubelet, and of the kube-log-runner published with it that changed in some version.
import type { Trait, TraitId } from '../../model/trait.ts'

const checked = '2026-11-20'

function kubelet(range: string, summary: string, see: string): Trait {
  return { of: 'kubelet', range, summary, see, checked }
}

export const kubeletTraits = {
  'kubelet-endpoint-in-config': kubelet(
    '>=1.27',
    'Its file has containerRuntimeEndpoint; before, only the flag sets it.',
    'https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/',
  ),
  'kubelet-resolv-conf-host': kubelet(
    '>=1.27',
    'resolvConf may be Host.',
    'https://github.com/kubernetes/kubernetes/pull/110566',
  ),
  'kubelet-config-dir': kubelet(
    '>=1.28',
    'It reads drop-in files from --config-dir.',
    'https://kubernetes.io/docs/tasks/administer-cluster/kubelet-config-file/',
  ),
  'kubelet-drop-ins-merge': {
    ...kubelet(
      '>=1.30',
      'A drop-in file changes what it names; before, it sets all else back to the defaults of Linux.',
      'https://github.com/kubernetes/kubernetes/commit/ee5578be526815ab3ea63abda6cb95588c8265a3',
    ),
    checked: '2026-11-22',
  },
  'kubelet-protects-container-logs': {
    ...kubelet(
      '>=1.27.16 <1.28 || >=1.28.12 <1.29 || >=1.29.7 <1.30 || >=1.30.3',
      'At each start it sets an access list of its own on the folder of containers’ logs (CVE-2024-5321).',
      'https://github.com/kubernetes/kubernetes/commit/84beb2915fa28ae477fe0676be8ba94ccd2b811a',
    ),
    checked: '2026-11-22',
  },
  'kubelet-protects-pod-logs': {
    ...kubelet(
      '>=1.30.3',
      'It does so on the folder of pods’ logs, too; before, only where it makes that folder itself.',
      'https://github.com/kubernetes/kubernetes/commit/23660a78ae462a6c8c75ac7ffd9af97550dda1aa',
    ),
    checked: '2026-11-22',
  },
  'kubelet-credential-provider-v1': kubelet(
    '>=1.26',
    'Its CredentialProviderConfig is v1; before, v1beta1.',
    'https://github.com/kubernetes/enhancements/issues/2133',
  ),
  'kubelet-credential-provider-exe': kubelet(
    '>=1.30',
    'It finds credential providers that end in .exe.',
    'https://github.com/kubernetes/kubernetes/blob/master/CHANGELOG/CHANGELOG-1.30.md',
  ),
  'kubelet-cgroups-error': kubelet(
    '<1.31',
    'cgroupsPerQOS other than false, or any enforceNodeAllocatable, stops it.',
    'https://github.com/kubernetes/kubernetes/pull/123137',
  ),
  'kubelet-memory-eviction': kubelet(
    '>=1.31',
    'It evicts pods when memory runs short.',
    'https://github.com/kubernetes/kubernetes/pull/122922',
  ),
  'kubelet-graceful-shutdown': kubelet(
    '>=1.32',
    'It can shut pods down with the machine, behind a gate and as a service.',
    'https://github.com/kubernetes/enhancements/issues/4802',
  ),
  'kubelet-graceful-shutdown-default': kubelet(
    '>=1.34',
    'The gate of graceful shutdown is on.',
    'https://github.com/kubernetes/enhancements/issues/4802',
  ),
  'kubelet-unlimited-events': kubelet(
    '>=1.37',
    'eventRecordQPS 0 means no limit; before, the default.',
    'https://github.com/kubernetes/kubernetes/pull/117119',
  ),
  'log-runner-rotates': kubelet(
    '>=1.34',
    'kube-log-runner rotates its file: -log-file-size, -log-file-age.',
    'https://github.com/kubernetes/kubernetes/tree/master/staging/src/k8s.io/component-base/logs/kube-log-runner',
  ),
  'kubelet-host-process': kubelet(
    '>=1.26',
    'HostProcess pods are stable.',
    'https://github.com/kubernetes/enhancements/issues/1981',
  ),
  'kubelet-all-processor-groups': kubelet(
    '>=1.27',
    'It counts the processors of every group.',
    'https://github.com/kubernetes/kubernetes/pull/114231',
  ),
  'kubelet-log-query-exploitable': kubelet(
    '<1.29.13 || >=1.30 <1.30.9 || >=1.31 <1.31.5 || >=1.32 <1.32.1',
    'It runs commands that a log query holds (CVE-2024-9042).',
    'https://github.com/kubernetes/kubernetes/issues/129654',
  ),
} as const satisfies Readonly<Partial<Record<TraitId, Trait>>>
