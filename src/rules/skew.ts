// How far apart the versions of a cluster's components may be.
import { cniOf } from '../cni/index.ts'
import { judgeSkew, skewRules } from '../matrix/skew.ts'
import { defineRule, type Rule } from '../model/rule.ts'
import type { NodeSpec } from '../model/spec.ts'

const versionOf = {
  kubelet: { field: 'version', read: ({ kubernetes }: NodeSpec) => kubernetes.version },
  'kube-apiserver': {
    field: 'apiServer',
    read: ({ kubernetes }: NodeSpec) => kubernetes.apiServer,
  },
  'kube-proxy': { field: 'kubeProxy', read: ({ kubernetes }: NodeSpec) => kubernetes.kubeProxy },
  kubeadm: { field: 'kubeadm', read: ({ kubernetes }: NodeSpec) => kubernetes.kubeadm },
} as const

type Known = keyof typeof versionOf

const isKnown = (name: string): name is Known => Object.hasOwn(versionOf, name)

const refs: Readonly<Record<string, readonly string[]>> = {
  'kubelet-with-api-server': ['k8s-matrix/K8S001', 'k8s-matrix/K8S002'],
  'kube-proxy-with-api-server': ['k8s-matrix/K8S003', 'k8s-matrix/K8S004'],
  'kube-proxy-with-kubelet': ['k8s-matrix/K8S005'],
  'kubelet-with-kubeadm': ['skew/kubeadm-vs-kubelet'],
}

/** One rule for each pair of components that a node has a version of. */
export const versionSkew: readonly Rule[] = skewRules.flatMap((row) => {
  if (!isKnown(row.of) || !isKnown(row.to)) return []
  const [of, to] = [versionOf[row.of], versionOf[row.to]]
  const newer = row.maxNewer === 0 ? 'not newer' : `at most ${row.maxNewer} minors newer`
  const older = `at most ${row.maxOlder} minors older`
  return [
    defineRule({
      id: row.id,
      severity: 'error',
      summary: `${row.of} is ${newer} than ${row.to}, and ${older}.`,
      remedy: `Choose versions of ${row.of} and ${row.to} that are closer.`,
      see: row.see,
      refs: refs[row.id] ?? [],
      check: ({ spec }) => {
        if (row.of === 'kube-proxy' && !cniOf(spec.network.cni).kubeProxy) return []
        const verdict = judgeSkew(row, of.read(spec), to.read(spec))
        if (verdict === 'fine' || verdict === 'edge') return []
        const message = `${row.of} ${of.read(spec)} is too ${verdict === 'newer' ? 'new' : 'old'} for ${row.to} ${to.read(spec)}; allowed is ${newer}, and ${older}`
        return [{ path: ['kubernetes', of.field], message }]
      },
    }),
  ]
})

export const kubeletAtTheEdge = defineRule({
  id: 'kubelet-blocks-upgrade',
  severity: 'warning',
  summary: 'The kubelet leaves room for the next upgrade of the API server.',
  remedy: 'Raise kubernetes.version.',
  see: 'https://kubernetes.io/releases/version-skew-policy/',
  refs: ['k8s-matrix/K8S006'],
  check: ({ spec: { kubernetes } }) => {
    const row = skewRules.find(({ id }) => id === 'kubelet-with-api-server')
    if (!row || judgeSkew(row, kubernetes.version, kubernetes.apiServer) !== 'edge') return []
    const message = `kubelet ${kubernetes.version} is as old as API server ${kubernetes.apiServer} allows; the API server cannot be upgraded before it`
    return [{ path: ['kubernetes', 'version'], message }]
  },
})
