// Behaviours of kube-proxy on Windows that changed in some version.
import type { Trait } from '../../model/rows.ts'

const checked = '2026-11-20'

function kubeProxy(range: string, summary: string, see: string): Trait {
  return { of: 'kube-proxy', range, summary, see, checked }
}

export const kubeProxyTraits = {
  'proxy-klog-file-flags': kubeProxy(
    '<1.26',
    'It writes log files itself, by klog’s flags.',
    'https://github.com/kubernetes/kubernetes/pull/112120',
  ),
  'proxy-kernelspace-only': kubeProxy(
    '>=1.26',
    'kernelspace is its only mode on Windows, and what an empty mode means.',
    'https://github.com/kubernetes/kubernetes/pull/110762',
  ),
  'proxy-logging-options': kubeProxy(
    '>=1.28',
    'Its file has logging.',
    'https://github.com/kubernetes/kubernetes/blob/master/CHANGELOG/CHANGELOG-1.28.md',
  ),
  'proxy-run-as-service-field': kubeProxy(
    '>=1.31',
    'Its file has windowsRunAsService; the flag is needed all the same.',
    'https://github.com/kubernetes/kubernetes/blob/master/CHANGELOG/CHANGELOG-1.31.md',
  ),
  'proxy-dsr-needs-gate': kubeProxy(
    '<1.33',
    'enableDSR needs the gate WinDSR, or it stops.',
    'https://github.com/kubernetes/enhancements/issues/5100',
  ),
  'proxy-gates-locked': kubeProxy(
    '>=1.34',
    'WinDSR and WinOverlay are on and cannot be turned off.',
    'https://github.com/kubernetes/enhancements/issues/5100',
  ),
  'proxy-warns-unset-mode': kubeProxy(
    '>=1.37',
    'It warns where its mode is not written.',
    'https://github.com/kubernetes/kubernetes/pull/139777',
  ),
} as const satisfies Readonly<Record<string, Trait>>
