// The kubelet's log query API, which runs PowerShell on the host for authorized callers.
import { settingOf } from '../components/config-table.ts'
import { kubelet } from '../components/kubelet.ts'
import type { Facts } from '../model/facts.ts'
import { defineRule, when } from '../model/rule.ts'

function logQueryOf(facts: Facts) {
  const { value, path } = settingOf(kubelet, facts, 'enableSystemLogQuery')
  return { on: value === true, path }
}

export const logQuery = defineRule({
  id: 'kubelet-log-query-on',
  severity: 'warning',
  harm: 'exposes',
  summary: 'The kubelet’s log query API is disabled.',
  remedy: 'Remove enableSystemLogQuery.',
  see: 'https://github.com/kubernetes/kubernetes/issues/129654',
  check: (facts) => {
    const { on, path } = logQueryOf(facts)
    return when(on, path, 'the log query API is enabled; it runs PowerShell on the host')
  },
})

export const logQueryExploitable = defineRule({
  id: 'kubelet-log-query-exploitable',
  severity: 'error',
  summary: 'The log query API has no known command injection.',
  remedy: 'Remove enableSystemLogQuery, or use a newer kubelet.',
  upgrades: ['kubelet'],
  see: 'https://github.com/kubernetes/kubernetes/issues/129654',
  check: (facts) => {
    const { on, path } = logQueryOf(facts)
    return when(
      on && facts.has('kubelet-log-query-exploitable'),
      path,
      `kubelet ${facts.spec.kubernetes.version}: log queries allow command injection (CVE-2024-9042)`,
    )
  },
})
