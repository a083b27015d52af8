// What a KubeletConfiguration may not say on Windows: pkg/kubelet/apis/config/validation/validation_windows.go.
import type { Rule } from './rules.ts'

export const windowsRules: readonly Rule[] = [
  {
    broken: (c) => c.has('singleProcessOOMKill'),
    says: 'singleProcessOOMKill is not supported on Windows',
  },
  { broken: (c) => c.has('userNamespaces'), says: 'userNamespaces is not supported on Windows' },
  {
    broken: (c) => c.entries('defaultPodSysctls').length > 0,
    says: 'defaultPodSysctls is not supported on Windows',
  },
]
