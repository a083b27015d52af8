// What the cluster is asked before a join, and with whose credentials.
import { cniOf } from '../cni/index.ts'
import { kubeadmMayBeNewerBy, kubeletMayBeOlderBy } from '../matrix/skew.ts'
import type { Facts } from '../model/facts.ts'
import type { PreflightCheck } from '../model/preflight.ts'
import type { Credentials } from '../model/spec.ts'

/** What the cluster is asked before a join: whether it has the networks, names and versions of the bundle. */
export function clusterCheck({ spec, has }: Facts): PreflightCheck {
  const { network, join, kubernetes, kubelet, kubeProxy } = spec
  const { endpoint, discoveryFile, caCertHashes } = join
  return {
    id: 'cluster',
    kind: 'cluster',
    phases: ['beforeJoin'],
    verdict: 'fail',
    with: {
      ...(endpoint === undefined ? { discoveryFile: discoveryFile ?? '' } : { endpoint }),
      ...(caCertHashes.length > 0 ? { caCertHashes } : {}),
      podCIDRs: network.podCIDRs,
      serviceCIDRs: network.serviceCIDRs,
      clusterDNS: network.clusterDNS,
      clusterDomain: network.clusterDomain,
      kubelet: kubernetes.version,
      maxOlder: kubeletMayBeOlderBy(kubernetes.version),
      ...(join.method === 'kubeadm'
        ? {
            kubeadm: kubernetes.kubeadm,
            kubeadmMaxNewer: kubeadmMayBeNewerBy,
            readsHealthzPort: has('kubeadm-reads-healthz-port'),
            healthzPort: Number(kubelet.config['healthzPort'] ?? 10248),
          }
        : {}),
      ...(network.cni === 'flannel'
        ? {
            flannelBackend: network.backend,
            ...(network.mode === 'overlay' ? { flannelVNI: network.vni } : {}),
            ...accountOf('flannel', network.credentials),
          }
        : {}),
      ...(cniOf(network.cni).kubeProxy ? accountOf('kubeProxy', kubeProxy.credentials) : {}),
    },
  }
}

/** Where an account's credentials lie before the first Join, which may write the kubeconfig itself. */
function accountOf(name: string, credentials: Credentials): Readonly<Record<string, string>> {
  switch (credentials.kind) {
    case 'kubeconfig':
      return { [`${name}Kubeconfig`]: credentials.kubeconfig }
    case 'tokenFile':
      return { [`${name}TokenFile`]: credentials.tokenFile }
    case 'clientCertificate':
      return { [`${name}Certificate`]: credentials.certificate, [`${name}Key`]: credentials.key }
  }
}
