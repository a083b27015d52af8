// What the cluster needs beside the node: identities, permissions and RuntimeClasses.
import { cniOf } from '../cni/index.ts'
import { usesSecret } from '../cni/kubeconfig.ts'
import { defineArtifact } from '../model/artifact.ts'
import type { Facts } from '../model/facts.ts'
import type { PlannedFile } from '../model/plan.ts'
import { reasonsFor } from '../matrix/reasons.ts'

export const kubeProxyAccount = defineArtifact({
  id: 'cluster-kube-proxy',
  plan: ({ spec }) =>
    cniOf(spec.network.cni).kubeProxy !== false
      ? [
          {
            id: 'cluster-kube-proxy',
            path: 'cluster/10-kube-proxy.yaml',
            summary: 'The identity of kube-proxy, bound to system:node-proxier.',
            body: {
              kind: 'template',
              template: 'cluster/kube-proxy.yaml.hbs',
              view: { secret: usesSecret(spec.kubeProxy.credentials) },
            },
            settings: reasonsFor('service accounts'),
          },
        ]
      : [],
})

/** kubeadm creates the same in its clusters; without kubeadm they are missing. */
export const bootstrapPermissions = defineArtifact({
  id: 'cluster-bootstrap',
  plan: ({ spec }) =>
    spec.join.method === 'bootstrapKubeconfig'
      ? [
          {
            id: 'cluster-bootstrap',
            path: 'cluster/05-bootstrap.yaml',
            summary:
              'Lets kubelets with a bootstrap token of the group system:bootstrappers:winnode ask for certificates.',
            body: { kind: 'template', template: 'cluster/bootstrap.yaml.hbs', view: {} },
            settings: reasonsFor('TLS bootstrap bindings'),
          },
        ]
      : [],
})

export const runtimeClasses = defineArtifact({
  id: 'runtime-class',
  plan: (facts) => [
    runtimeClass(facts, 'process'),
    ...(facts.spec.isolation.hyperV ? [runtimeClass(facts, 'hyperv')] : []),
  ],
})

const handlers = { process: 'runhcs-wcow-process', hyperv: 'runhcs-wcow-hypervisor' } as const

/** Named as in https://kubernetes.io/docs/concepts/windows/user-guide/: windows-2022. */
function runtimeClass({ spec, windows }: Facts, isolation: keyof typeof handlers): PlannedFile {
  const suffix = isolation === 'process' ? '' : '-hyperv'
  return {
    id: `runtime-class${suffix}`,
    path: `cluster/30-runtime-class${suffix}.yaml`,
    summary: `Schedules pods on nodes with ${windows.name}, with ${isolation} isolation.`,
    body: {
      kind: 'template',
      template: 'cluster/runtime-class.yaml.hbs',
      view: {
        name: `windows-${windows.id.replace(/^ws/, '')}${suffix}`,
        handler: handlers[isolation],
        hyperV: isolation === 'hyperv',
        build: `10.0.${windows.build}`,
        hasTolerations: spec.kubelet.taints.length > 0,
        tolerations: spec.kubelet.taints.map(({ key, value, effect }) => ({ key, value, effect })),
      },
    },
    settings: reasonsFor('runtime classes'),
  }
}
