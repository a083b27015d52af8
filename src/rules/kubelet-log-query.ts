// The kubelet's log query API, which runs PowerShell on the host for authorized callers.
import { settingOf } from '../components/component.ts'
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
  summary: 'The kubelet does not run log queries on the host.',
  remedy: 'Remove enableSystemLogQuery.',
  see: 'https://github.com/kubernetes/kubernetes/issues/129654',
  check: (facts) => {
    const { on, path } = logQueryOf(facts)
    return when(on, path, 'log queries run PowerShell on the host')
  },
})

export const logQueryExploitable = defineRule({
  id: 'kubelet-log-query-exploitable',
  severity: 'error',
  summary: 'Log queries run no foreign command.',
  remedy: 'Remove enableSystemLogQuery, or choose a newer kubelet.',
  upgrades: ['kubelet'],
  see: 'https://github.com/kubernetes/kubernetes/issues/129654',
  check: (facts) => {
    const { on, path } = logQueryOf(facts)
    return when(
      on && facts.has('kubelet-log-query-exploitable'),
      path,
      `kubelet ${facts.spec.kubernetes.version} runs commands that a log query holds (CVE-2024-9042)`,
    )
  },
})
