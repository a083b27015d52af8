// Behaviours of kubeadm that changed in some version.
import type { Trait } from '../../model/rows.ts'

const checked = '2026-11-20'

function kubeadm(range: string, summary: string, see: string): Trait {
  return { of: 'kubeadm', range, summary, see, checked }
}

export const kubeadmTraits = {
  'kubeadm-patches-kubelet-config': kubeadm(
    '>=1.25',
    'A patch named kubeletconfiguration changes what it writes for the kubelet.',
    'https://github.com/kubernetes/kubernetes/blob/master/CHANGELOG/CHANGELOG-1.25.md',
  ),
  'kubeadm-v1beta3': kubeadm(
    '<1.37',
    'It reads kubeadm.k8s.io/v1beta3.',
    'https://github.com/kubernetes/kubernetes/blob/master/CHANGELOG/CHANGELOG-1.37.md',
  ),
  'kubeadm-v1beta3-deprecated': kubeadm(
    '>=1.31 <1.37',
    'It warns of kubeadm.k8s.io/v1beta3.',
    'https://github.com/kubernetes/kubernetes/blob/master/CHANGELOG/CHANGELOG-1.31.md',
  ),
  'kubeadm-v1beta4': kubeadm(
    '>=1.31',
    'It reads kubeadm.k8s.io/v1beta4, where extra arguments are a list.',
    'https://kubernetes.io/docs/reference/config-api/kubeadm-config.v1beta4/',
  ),
  'kubeadm-writes-pod-infra-flag': kubeadm(
    '<1.35',
    'It writes --pod-infra-container-image into kubeadm-flags.env.',
    'https://github.com/kubernetes/kubernetes/pull/133778',
  ),
  'kubeadm-warns-runtime-config': kubeadm(
    '>=1.35',
    'Its preflight warns of a runtime without RuntimeConfig.',
    'https://github.com/kubernetes/enhancements/issues/4033',
  ),
} as const satisfies Readonly<Record<string, Trait>>
