// Behaviours of kube-proxy on Windows that changed in some version.
import type { Trait, TraitId } from '../../model/trait.ts'

const checked = '2026-11-20'

function kubeProxy(range: string, summary: string, see: string): Trait {
  return { of: 'kube-proxy', range, summary, see, checked }
}

export const kubeProxyTraits = {
  'proxy-dsr-needs-gate': kubeProxy(
    '<1.33',
    'enableDSR needs the gate WinDSR, or it stops.',
    'https://github.com/kubernetes/enhancements/issues/5100',
  ),
  'proxy-blank-mode-kernelspace': {
    ...kubeProxy(
      '>=1.26',
      'A blank mode is kernelspace; before, it is userspace.',
      'https://github.com/kubernetes/kubernetes/blob/master/pkg/proxy/apis/config/validation/validation.go',
    ),
    checked: '2026-11-22',
  },
  'proxy-gates-locked': kubeProxy(
    '>=1.34',
    'WinDSR and WinOverlay are on and cannot be turned off.',
    'https://github.com/kubernetes/enhancements/issues/5100',
  ),
} as const satisfies Readonly<Partial<Record<TraitId, Trait>>>
