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

/** No profile has them alone. */
export const rulesTogether = [kubeProxyMixed]

interface Named {
  readonly profile: string
  readonly facts: Facts
}

/** For each profile. The DaemonSet selects nodes by operating system and Windows build, and so those with the service, too. */
export function findingsTogether(all: readonly Named[]): readonly (readonly Finding[])[] {
  const runs = all.map(({ profile, facts }) => ({ profile, facts, way: kubeProxyRuns(facts.spec) }))
  // Found by key, so that thousands of profiles are not compared with each other.
  const firstBy = new Map<string, string>()
  for (const { profile, facts, way } of runs)
    for (const key of keys(facts, way, (value) => [value, any]))
      if (!firstBy.has(key)) firstBy.set(key, profile)
  return runs.map(({ facts, way }) => {
    if (way === false) return []
    const opposite = way === 'service' ? 'daemonSet' : 'service'
    const wanted = keys(facts, opposite, (value) => (value === null ? [any] : [value, null]))
    const other = wanted.map((key) => firstBy.get(key)).find((name) => name !== undefined)
    return other === undefined ? [] : [mixed(facts, way, other)]
  })
}

/** Stands for each value of a cluster. */
const any = true

/** Of profiles with the same nodes, unless their clusters are known to be different. */
function keys(
  { spec, windows }: Facts,
  way: ReturnType<typeof kubeProxyRuns>,
  among: (value: string | null) => readonly (string | typeof any | null)[],
): readonly string[] {
  const clusters = among(spec.targets.capi.cluster ?? null)
  return among(spec.join.endpoint ?? null).flatMap((endpoint) =>
    clusters.map((cluster) => JSON.stringify([windows.build, way, endpoint, cluster])),
  )
}

function mixed(facts: Facts, way: 'service' | 'daemonSet', other: string): Finding {
  const [service, pods] = way === 'service' ? ['here', `in ${other}`] : [`in ${other}`, 'here']
  const { id, severity, remedy, see } = kubeProxyMixed
  return {
    id,
    severity,
    remedy,
    see,
    path: ['kubeProxy', 'runsAs'],
    message: `kube-proxy is a service ${service} and a DaemonSet ${pods}, and its pods run on all nodes of Windows build ${facts.windows.build}`,
  }
}
