// Log queries: a kubelet that runs PowerShell on its host for whoever may ask.
import { defineRule, when } from '../model/rule.ts'

const config = ['kubelet', 'config'] as const

export const logQuery = defineRule({
  id: 'kubelet-log-query-on',
  severity: 'warning',
  harm: 'exposes',
  summary: 'The kubelet does not run log queries on the host.',
  remedy: 'Remove enableSystemLogQuery.',
  see: 'https://github.com/kubernetes/kubernetes/issues/129654',
  check: ({ spec }) =>
    when(
      spec.kubelet.config['enableSystemLogQuery'] === true,
      [...config, 'enableSystemLogQuery'],
      'log queries run PowerShell on the host',
    ),
})

export const logQueryExploitable = defineRule({
  id: 'kubelet-log-query-exploitable',
  severity: 'error',
  summary: 'Log queries run no foreign command.',
  remedy: 'Remove enableSystemLogQuery, or choose a newer kubelet.',
  moves: ['kubelet'],
  see: 'https://github.com/kubernetes/kubernetes/issues/129654',
  check: ({ spec, has }) =>
    when(
      spec.kubelet.config['enableSystemLogQuery'] === true && has('kubelet-log-query-exploitable'),
      [...config, 'enableSystemLogQuery'],
      `kubelet ${spec.kubernetes.version} runs commands that a log query holds (CVE-2024-9042)`,
    ),
})
