// The preflight check that compares the bundle with the cluster before a join.
import { cniOf } from '../cni/index.ts'
import { kubeProxyRuns } from '../cni/kube-proxy.ts'
import { accountOf } from '../cni/kubeconfig.ts'
import { fileOf } from '../components/config-table.ts'
import { kubelet } from '../components/kubelet.ts'
import { kubeadmMayBeNewerBy, kubeletMayBeOlderBy } from '../matrix/skew.ts'
import type { Facts } from '../model/facts.ts'
import type { PreflightCheck } from '../model/preflight.ts'

/** Whether the cluster has the CIDRs, DNS settings and versions that the bundle expects. */
export function clusterCheck(facts: Facts): PreflightCheck {
  const { spec, has } = facts
  const { network, join, kubernetes, kubeProxy } = spec
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
            healthzPort: Number(fileOf(kubelet, facts)['healthzPort']),
          }
        : {}),
      ...cniOf(network.cni).compared?.(spec),
      ...(kubeProxyRuns(spec) === 'service' ? accountOf('kubeProxy', kubeProxy.credentials) : {}),
    },
  }
}
