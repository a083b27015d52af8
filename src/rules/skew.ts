// The Kubernetes version skew policy.
import { judgeSkew, kubeletWithApiServer, skewRules } from '../matrix/skew.ts'
import { defineRule, type Rule } from '../model/rule.ts'
import { components } from './components.ts'

/** One rule for each pair of components that the policy limits. */
export const versionSkew: readonly Rule[] = skewRules.map((row) => {
  const [of, to] = [components[row.of], components[row.to]]
  const newer =
    row.maxNewer === 0 ? 'must not be newer' : `must be at most ${row.maxNewer} minors newer`
  const older = `at most ${row.maxOlder} minors older`
  return defineRule({
    id: row.id,
    severity: 'error',
    summary: `${row.of} ${newer} than ${row.to}, and ${older}.`,
    remedy: `Use closer versions of ${row.of} and ${row.to}.`,
    upgrades: row.to === 'kubeadm' ? ['kubeadm'] : [row.of],
    see: row.see,
    check: ({ spec }) => {
      if (!of.used(spec)) return []
      const verdict = judgeSkew(row, of.version(spec), to.version(spec))
      if (verdict === 'fine' || verdict === 'edge') return []
      const message = `${row.of} ${of.version(spec)} is too ${verdict === 'newer' ? 'new' : 'old'} for ${row.to} ${to.version(spec)}; ${row.of} ${newer}, and ${older}`
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
