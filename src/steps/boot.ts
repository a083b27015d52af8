// What a member needs at each start and is brought back to every few minutes: its services, in their order.
import { cniOf } from '../cni/index.ts'
import type { Facts } from '../model/facts.ts'
import { inPhase, type DraftStep } from '../model/plan.ts'

/**
 * flanneld takes its share of the pod network from the Node, so the kubelet comes first. A VXLAN network does not
 * survive a restart, and kube-proxy on it fails without a source VIP: so then comes the plugin, the address, the
 * configuration that names it, kube-proxy.
 */
export function bootSteps(facts: Facts): readonly DraftStep[] {
  const cni = cniOf(facts.spec.network.cni)
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
    ...cni.steps.boot(facts),
    ...(cni.kubeProxy
      ? inPhase('boot', [
          {
            kind: 'serviceRunning',
            id: 'running-kube-proxy',
            after: ['file-kube-proxy-config', 'service-kube-proxy'],
            name: 'kube-proxy',
            timeout: 60,
            network: facts.spec.network.name,
            // Its health check says 200 where it may not read Services: what it made says more.
            policyLists: true,
          },
        ])
      : []),
  ]
}
