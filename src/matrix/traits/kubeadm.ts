// Behaviours of kubeadm that changed in some version.
import type { Trait, TraitId } from '../../model/trait.ts'

const checked = '2026-11-20'

function kubeadm(range: string, summary: string, see: string): Trait {
  return { of: 'kubeadm', range, summary, see, checked }
}

export const kubeadmTraits = {
  'kubeadm-v1beta4': kubeadm(
    '>=1.31',
    'It reads kubeadm.k8s.io/v1beta4, where extra arguments are a list.',
    'https://kubernetes.io/docs/reference/config-api/kubeadm-config.v1beta4/',
  ),
  'kubeadm-reads-healthz-port': kubeadm(
    '>=1.30.2',
    'It waits for the kubelet at the healthzPort of the ConfigMap kubelet-config, before at 10248.',
    'https://github.com/kubernetes/kubernetes/pull/125265',
  ),
} as const satisfies Readonly<Partial<Record<TraitId, Trait>>>
