// The Kubernetes version skew policy.
import { judgeSkew, kubeletWithApiServer, skewBounds, skewRules } from '../matrix/skew.ts'
import { defineRule, type Rule } from '../model/rule.ts'
import { components } from './components.ts'

/** One rule for each pair of components that the policy limits. */
export const versionSkew: readonly Rule[] = skewRules.map((row) => {
  const [of, to] = [components[row.of], components[row.to]]
  return defineRule({
    id: row.id,
    severity: 'error',
    summary:
      row.maxNewer === 0
        ? `${row.of} is not newer than ${row.to}, and at most ${row.maxOlder} minors older.`
        : `${row.of} is at most ${row.maxNewer} minors newer or ${row.maxOlder} older than ${row.to}.`,
    remedy: `Use closer versions of ${row.of} and ${row.to}.`,
    upgrades: row.to === 'kubeadm' ? ['kubeadm'] : [row.of],
    see: row.see,
    check: ({ spec }) => {
      if (!of.used(spec)) return []
      const [version, other] = [of.version(spec), to.version(spec)]
      const verdict = judgeSkew(row, version, other)
      if (verdict === 'fine' || verdict === 'edge') return []
      const { maxNewer, maxOlder } = skewBounds(row, version)
      const limit = verdict === 'newer' ? maxNewer : maxOlder
      const distance = limit === 0 ? verdict : `more than ${limit} minors ${verdict}`
      const message = `${row.of} ${version} is ${distance} than ${row.to} ${other}`
      return [{ path: of.path, message }]
    },
  })
})

export const kubeletAtSkewLimit = defineRule({
  id: 'kubelet-blocks-upgrade',
  severity: 'warning',
  harm: 'ages',
  summary: 'The kubelet does not block the next upgrade of the API server.',
  remedy: 'Upgrade the kubelet before the control plane.',
  upgrades: ['kubelet'],
  see: 'https://kubernetes.io/releases/version-skew-policy/',
  check: ({ spec: { kubernetes } }) => {
    const verdict = judgeSkew(kubeletWithApiServer, kubernetes.version, kubernetes.apiServer)
    if (verdict !== 'edge') return []
    const message = `kubelet ${kubernetes.version} is the oldest that API server ${kubernetes.apiServer} supports; it blocks the next upgrade of the API server`
    return [{ path: ['kubernetes', 'version'], message }]
  },
})
