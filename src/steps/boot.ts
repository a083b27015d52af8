// What happens after each start of the machine, and once at the end of a join.
import { cniOf } from '../cni/index.ts'
import type { Facts } from '../model/facts.ts'
import { inPhase, type DraftStep } from '../model/plan.ts'

/**
 * A VXLAN network does not survive a restart, and kube-proxy on it fails without a source VIP: so
 * the plugin comes first, then the address, then the configuration that names it, then kube-proxy.
 */
export function bootSteps(facts: Facts): readonly DraftStep[] {
  const cni = cniOf(facts.spec.network.cni)
  return [
    ...cni.steps.boot(facts),
    ...(cni.kubeProxy
      ? inPhase('boot', [
          {
            kind: 'serviceRunning',
            id: 'running-kube-proxy',
            after: ['file-kube-proxy-config', 'service-kube-proxy'],
            name: 'kube-proxy',
            timeout: 60,
          },
        ])
      : []),
  ]
}
