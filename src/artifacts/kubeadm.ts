// What kubeadm reads to join the node: JoinConfiguration, without its token.
import { defineArtifact } from '../model/artifact.ts'
import type { Facts } from '../model/facts.ts'
import type { Json, JsonObject } from '../model/json.ts'
import { layout, pipe } from '../model/layout.ts'

export const joinConfiguration = defineArtifact({
  id: 'kubeadm-join',
  plan: (facts) =>
    facts.spec.join.method === 'kubeadm'
      ? [
          {
            id: 'kubeadm-join',
            path: 'files/kubeadm/join.json',
            summary:
              'How kubeadm joins; Join adds the node’s name and the token, and deletes it again.',
            body: { kind: 'json', value: joinDocument(facts) },
          },
        ]
      : [],
})

function joinDocument(facts: Facts): JsonObject {
  return {
    apiVersion: `kubeadm.k8s.io/${facts.has('kubeadm-v1beta4') ? 'v1beta4' : 'v1beta3'}`,
    kind: 'JoinConfiguration',
    discovery: discovery(facts),
    nodeRegistration: {
      name: '',
      criSocket: pipe.endpoint,
      // The kubelet registers its own; absent would mean the control plane's.
      taints: [],
    },
  }
}

function discovery({ spec: { join } }: Facts): Json {
  if (join.endpoint === undefined)
    return {
      file: { kubeConfigPath: withoutDrive(join.discoveryFile ?? layout.discovery) },
      tlsBootstrapToken: '',
    }
  return {
    bootstrapToken: {
      apiServerEndpoint: join.endpoint,
      caCertHashes: join.caCertHashes,
      token: '',
    },
  }
}

/**
 * kubeadm takes `C:` for the scheme of a URL and refuses it. Without a drive it looks on that of its
 * working folder, C:. ValidateDiscoveryKubeConfigPath in
 * https://github.com/kubernetes/kubernetes/blob/master/cmd/kubeadm/app/apis/kubeadm/validation/validation.go
 */
const withoutDrive = (path: string) => path.replace(/^C:/i, '').replaceAll('\\', '/')

/** Without kubeadm nobody fetches the CA: it comes with the bundle. */
export const clusterCa = defineArtifact({
  id: 'cluster-ca',
  plan: ({ spec }) =>
    spec.join.method === 'bootstrapKubeconfig' && spec.join.ca !== undefined
      ? [
          {
            id: 'cluster-ca',
            path: 'files/kubernetes/ca.crt',
            summary: 'The certificate of the cluster’s CA; not a secret.',
            body: { kind: 'text', text: spec.join.ca },
            install: { path: layout.ca, phase: 'beforeJoin', after: ['directory-pki'] },
          },
        ]
      : [],
})
