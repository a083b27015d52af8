// Drift of a cluster whose API server has another version than the profile says.
import t from 'tap'
import { clusterDrifts } from '../../src/drift/cluster-values.ts'
import { compileBuiltin } from '../tools/bundle.ts'

const { spec } = compileBuiltin('ws2022-flannel-overlay').facts

function found(value: string) {
  const path = ['kubernetes', 'apiServer'] as const
  return clusterDrifts([{ path, value, where: '/version', others: [] }], spec)
}

t.test('an API server that is older than the kubelets is not supported', async (t) => {
  const [drift] = found('1.30.0')
  t.equal(drift?.remedy, `Upgrade the control plane to ${spec.kubernetes.version}.`)
  t.match(drift?.why, 'does not support a kubelet that is newer than the API server')
  t.equal(drift?.see, 'https://kubernetes.io/releases/version-skew-policy/')
})

t.test('a newer API server is only another value', async (t) => {
  const [drift] = found('1.99.0')
  t.match(drift?.remedy, 'Update kubernetes.apiServer to match the cluster')
  t.equal(drift?.see, undefined)
})
