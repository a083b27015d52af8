// kube-proxy in kernelspace mode: DSR, its feature gates, and its metrics address.
import { isSameJson } from '../model/json.ts'
import { kubeProxyRuns } from '../cni/kube-proxy.ts'
import { credentialsOf } from '../cni/kubeconfig.ts'
import { settingOf } from '../components/config-table.ts'
import { kubeProxy } from '../components/kube-proxy.ts'
import type { Facts } from '../model/facts.ts'
import { defineRule, when, type Conflict } from '../model/rule.ts'

const windowsNetwork = 'https://kubernetes.io/docs/concepts/services-networking/windows-networking/'

export const loadBalancerWithoutDsr = defineRule({
  id: 'dsr-off',
  severity: 'info',
  harm: 'limits',
  summary: 'Direct server return (DSR) is enabled.',
  remedy: 'Set network.dsr to true.',
  see: windowsNetwork,
  check: ({ spec }) =>
    when(
      kubeProxyRuns(spec) !== false && !spec.network.dsr,
      ['network', 'dsr'],
      'without DSR, client IPs are lost and ports run out at about 225 services',
    ),
})

export const dsrNeedsPatch = defineRule({
  id: 'dsr-needs-patch-level',
  severity: 'error',
  severityVaries: true,
  summary: 'The Windows revision supports direct server return (DSR).',
  remedy:
    'Install this update or a later one and set windows.revision, or set network.dsr to false.',
  see: 'https://github.com/microsoft/Windows-Containers/issues/19',
  check: ({ spec, windows: { name, dsr } }): readonly Conflict[] => {
    const { revision } = spec.windows
    if (dsr === undefined || !spec.network.dsr || kubeProxyRuns(spec) === false) return []
    const fact = `${name} supports DSR from revision ${dsr.revision} (${dsr.update}) on`
    const path = ['network', 'dsr']
    if (revision === undefined)
      return [{ path, severity: 'warning', message: `${fact}, and windows.revision is not set` }]
    const at = ['windows', 'revision']
    return when(revision < dsr.revision, at, `${fact}; kube-proxy exits at start on ${revision}`)
  },
})

export const modeNotKernelspace = defineRule({
  id: 'kube-proxy-mode-not-kernelspace',
  severity: 'error',
  summary: 'kube-proxy runs in kernelspace mode.',
  remedy: 'Remove kubeProxy.config.mode; winnode writes it.',
  see: 'https://kubernetes.io/docs/reference/networking/virtual-ips/#proxy-modes',
  check: (facts) => {
    const { value: mode, path } = settingOf(kubeProxy, facts, 'mode')
    // An empty mode means kernelspace; in 1.25 it meant userspace.
    const isDefault = mode === '' && facts.has('proxy-blank-mode-kernelspace')
    return when(
      mode !== 'kernelspace' && !isDefault,
      path,
      `mode ${JSON.stringify(mode)} is not supported on Windows; use kernelspace`,
    )
  },
})

export const metricsOpen = defineRule({
  id: 'kube-proxy-metrics-open',
  severity: 'warning',
  harm: 'exposes',
  summary: 'kube-proxy serves metrics on the loopback address only.',
  remedy: 'Set kubeProxy.metricsBindAddress to 127.0.0.1:10249.',
  see: 'https://www.cisecurity.org/benchmark/kubernetes',
  check: ({ spec }) =>
    when(
      !/^(?:$|127\.|localhost|\[?::1\b)/.test(spec.kubeProxy.metricsBindAddress),
      ['kubeProxy', 'metricsBindAddress'],
      `kube-proxy metrics are served on ${spec.kubeProxy.metricsBindAddress}, without authentication`,
    ),
})

/** Gates that the network needs; with one of them off, kube-proxy exits at start. Newer versions lock them. */
const gates = [
  {
    gate: 'WinDSR',
    isNeeded: ({ spec, has }: Facts) => spec.network.dsr && has('proxy-dsr-needs-gate'),
  },
  {
    gate: 'WinOverlay',
    isNeeded: ({ spec, has }: Facts) =>
      spec.network.mode === 'overlay' && !has('proxy-gates-locked'),
  },
] as const

export const requiredGateOff = defineRule({
  id: 'kube-proxy-gate-off',
  severity: 'error',
  summary: 'Feature gates that the network mode needs are not disabled.',
  remedy: 'Remove the gate; winnode sets the gates that the version needs.',
  see: 'https://github.com/kubernetes/enhancements/issues/5100',
  check: (facts) =>
    gates.flatMap(({ gate, isNeeded }) =>
      when(
        facts.spec.kubeProxy.featureGates[gate] === false && isNeeded(facts),
        ['kubeProxy', 'featureGates', gate],
        `kube-proxy ${facts.spec.kubernetes.kubeProxy} exits at start: this network mode needs ${gate}`,
      ),
    ),
})

export const gateWithoutDsr = defineRule({
  id: 'kube-proxy-gate-without-dsr',
  severity: 'warning',
  harm: 'limits',
  summary: 'The feature gate WinDSR is set only with network.dsr.',
  remedy: 'Set network.dsr to true, or remove the gate.',
  see: 'https://github.com/kubernetes/enhancements/issues/5100',
  check: ({ spec }) =>
    when(
      spec.kubeProxy.featureGates['WinDSR'] === true && !spec.network.dsr,
      ['kubeProxy', 'featureGates', 'WinDSR'],
      'the feature gate has no effect with network.dsr false',
    ),
})

export const settingsUnused = defineRule({
  id: 'kube-proxy-settings-unused',
  severity: 'error',
  summary: 'Fields of kubeProxy are set only with a plugin whose bundle uses them.',
  remedy: 'Remove the fields of kubeProxy.',
  see: windowsNetwork,
  check: ({ spec: { network, kubeProxy: written, join } }) => {
    const runs = kubeProxyRuns({ network, kubeProxy: written })
    const given = Object.keys(written.featureGates).length + Object.keys(written.config).length > 0
    const byDefault = credentialsOf(undefined, 'kube-proxy', join.endpoint)
    const why =
      runs === false
        ? 'the bundle installs no kube-proxy'
        : 'HostProcess pods have the token of a ServiceAccount'
    return [
      ...when(
        runs === false && given,
        ['kubeProxy'],
        `these settings have no effect: with network.cni ${network.cni}, the bundle installs no kube-proxy`,
      ),
      ...when(
        runs !== 'service' && !isSameJson(written.credentials, byDefault),
        ['kubeProxy', 'credentials'],
        `kubeProxy.credentials has no effect: with network.cni ${network.cni}, ${why}`,
      ),
      ...when(
        (runs === false && written.runsAs !== undefined) ||
          (runs === 'daemonSet' && written.runsAs === 'service'),
        ['kubeProxy', 'runsAs'],
        `kubeProxy.runsAs has no effect: with network.cni ${network.cni}, ${runs === false ? why : 'whose pods create the network, kube-proxy runs as HostProcess pods'}`,
      ),
    ]
  },
})
