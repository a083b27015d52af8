// What a member needs at each start and is brought back to every few minutes: its services, in their order.
import { cniOf } from '../cni/index.ts'
import { kubeconfigPath } from '../cni/kubeconfig.ts'
import type { Facts } from '../model/facts.ts'
import { inPhase, type DraftStep } from '../model/plan.ts'

/**
 * flanneld takes its share of the pod network from the Node, so the kubelet comes first. A VXLAN network does not
 * survive a restart, and kube-proxy on it fails without a source VIP: so then comes the plugin, the address, the
 * configuration that names it, kube-proxy.
 */
export function bootSteps(facts: Facts): readonly DraftStep[] {
  const cni = cniOf(facts.spec.network.cni)
  const { network: made } = cni.provides(facts.spec)
  return [
    ...inPhase('boot', [
      {
        kind: 'serviceRunning',
        id: 'running-kubelet',
        after: ['start-kubelet'],
        name: 'kubelet',
        timeout: 60,
      },
    ]),
    ...inPhase('boot', metadataRoute(facts, 'route-metadata')),
    ...cni.steps.boot(facts),
    ...(made === undefined
      ? []
      : inPhase('boot', metadataRoute(facts, 'route-metadata-again', made))),
    ...(cni.kubeProxy
      ? inPhase('boot', [
          {
            kind: 'serviceRunning',
            id: 'running-kube-proxy',
            after: ['file-kube-proxy-config', 'service-kube-proxy'],
            name: 'kube-proxy',
            timeout: 60,
            network: facts.spec.network.name,
            reads: [kubeconfigPath(facts.spec.kubeProxy.credentials, 'kube-proxy')],
            // Its health check says 200 where it may not read Services: what it made says more.
            policyLists: true,
          },
        ])
      : []),
  ]
}

/**
 * What asks a cloud for credentials or for the machine's name asks there. The route is noted before there is a
 * network, and put back after: each virtual switch on the adapter takes it away.
 * https://github.com/kubernetes-sigs/sig-windows-tools/pull/38
 */
function metadataRoute({ spec }: Facts, id: string, ...after: readonly string[]) {
  const { kubelet, registry } = spec
  if (kubelet.cloudProvider === undefined && registry.credentialProvider === undefined) return []
  return [{ kind: 'route' as const, id, after, prefix: '169.254.169.254/32' }]
}
