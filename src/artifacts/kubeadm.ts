// What kubeadm reads to join the node: JoinConfiguration, without its token.
import { documentOf } from '../components/config-table.ts'
import { joinRows, joinSettings } from '../components/kubeadm.ts'
import type { Artifact } from '../model/artifact.ts'
import { layout } from '../model/layout.ts'

export const joinConfiguration: Artifact = (facts) =>
  facts.spec.join.method === 'kubeadm'
    ? {
        id: 'kubeadm-join',
        path: 'files/kubeadm/join.json',
        summary:
          'JoinConfiguration of kubeadm; Join adds node name and token to a copy, and deletes the copy.',
        body: { kind: 'json', value: documentOf(joinRows, facts) },
        settings: joinSettings,
      }
    : undefined

/** Without kubeadm the CA is not downloaded: the bundle contains it. */
export const clusterCa: Artifact = ({ spec }) =>
  spec.join.method === 'bootstrapKubeconfig' && spec.join.ca !== undefined
    ? {
        id: 'cluster-ca',
        path: 'files/kubernetes/ca.crt',
        summary: 'The certificate of the cluster’s CA; not a secret.',
        body: { kind: 'text', text: spec.join.ca },
        install: { path: layout.ca, phase: 'beforeJoin', after: ['directory-pki'] },
      }
    : undefined
