// Rules about several profiles of one command: what a profile would break on the nodes of another.
import { kubeProxyRuns } from '../cni/kube-proxy.ts'
import type { Facts } from '../model/facts.ts'
import type { Finding } from '../model/finding.ts'

const kubeProxyMixed = {
  id: 'kube-proxy-runs-twice',
  severity: 'warning',
  summary: 'Profiles with one Windows build run kube-proxy in the same way.',
  remedy:
    'Set kubeProxy.runsAs to the same value in all of them. If they are for different clusters, set join.endpoint.',
  see: 'https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/',
} as const

/** They cannot be ignored: no profile has them alone. */
export const rulesTogether = [kubeProxyMixed]

interface Named {
  readonly profile: string
  readonly facts: Facts
}

/** The DaemonSet selects nodes by operating system and Windows build, and so those with the service, too. */
export function findingsTogether({ facts }: Named, all: readonly Named[]): readonly Finding[] {
  const runs = kubeProxyRuns(facts.spec)
  if (runs === false) return []
  const other = all.find(({ facts: one }) => {
    const way = kubeProxyRuns(one.spec)
    return way !== false && way !== runs && sharesNodes(facts, one)
  })
  if (!other) return []
  const [service, pods] =
    runs === 'service' ? ['here', `in ${other.profile}`] : [`in ${other.profile}`, 'here']
  const { id, severity, remedy, see } = kubeProxyMixed
  return [
    {
      id,
      severity,
      remedy,
      see,
      path: ['kubeProxy', 'runsAs'],
      message: `kube-proxy is a service ${service} and a DaemonSet ${pods}, and its pods run on all nodes of Windows build ${facts.windows.build}`,
    },
  ]
}

/** Unless their clusters are known to be different. */
function sharesNodes({ spec, windows }: Facts, other: Facts): boolean {
  const pairs = [
    [spec.join.endpoint, other.spec.join.endpoint],
    [spec.targets.capi.cluster, other.spec.targets.capi.cluster],
  ]
  const isOther = pairs.some(([a, b]) => a !== undefined && b !== undefined && a !== b)
  return windows.build === other.windows.build && !isOther
}
