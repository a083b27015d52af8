// Steps of the boot task, which runs at each start and every few minutes: services and pod network, in order.
import { externalSteps } from '../cni/external-network.ts'
import { cniOf } from '../cni/index.ts'
import { kubeProxyRuns } from '../cni/kube-proxy.ts'
import { kubeconfigPath } from '../cni/kubeconfig.ts'
import type { Facts } from '../model/facts.ts'
import { inPhase, type DraftStep } from '../model/plan.ts'

/**
 * The kubelet starts first, because flanneld reads its podCIDR from the Node object. The plugin comes next, because
 * an overlay HNS network does not survive a restart. kube-proxy comes last, because on an overlay network it needs
 * the source VIP.
 */
export function bootSteps(facts: Facts): readonly DraftStep[] {
  const cni = cniOf(facts.spec.network.cni)
  const networkStep = cni.provides?.(facts.spec).network
  return [
    ...(cni.steps?.beforeKubelet?.(facts) ?? []),
    ...inPhase('boot', [
      {
        kind: 'serviceRunning',
        id: 'running-kubelet',
        after: ['start-kubelet'],
        name: 'kubelet',
        timeout: 60,
      },
    ]),
    ...inPhase('boot', [metadataRoute('route-metadata')]),
    ...externalSteps(facts.spec.network),
    ...(cni.steps?.boot?.(facts) ?? []),
    ...(networkStep === undefined
      ? []
      : inPhase('boot', [metadataRoute('route-metadata-again', networkStep)])),
    ...(kubeProxyRuns(facts.spec) === 'service'
      ? inPhase('boot', [
          {
            kind: 'serviceRunning',
            id: 'running-kube-proxy',
            after: ['file-kube-proxy-config', 'service-kube-proxy'],
            name: 'kube-proxy',
            timeout: 60,
            network: facts.spec.network.name,
            reads: [kubeconfigPath(facts.spec.kubeProxy.credentials, 'kube-proxy')],
            // /healthz returns 200 even if kube-proxy may not read Services, so its HNS load balancers are checked.
            policyLists: true,
          },
        ])
      : []),
  ]
}

/**
 * The route to the instance metadata service of a cloud, if the machine has one: agents and pods need it, whatever the
 * profile says of clouds. It is recorded before the HNS network exists and restored after: creating a virtual switch on
 * the adapter removes it. https://github.com/kubernetes-sigs/sig-windows-tools/pull/38
 */
const metadataRoute = (id: string, ...after: readonly string[]) => ({
  kind: 'route' as const,
  id,
  after,
  prefix: '169.254.169.254/32',
})
