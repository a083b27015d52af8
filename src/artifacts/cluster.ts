// What the cluster needs beside the node: identities, permissions and RuntimeClasses.
import { cniOf } from '../cni/index.ts'
import { accountSettings, usesSecret } from '../cni/kubeconfig.ts'
import { defineArtifact } from '../model/artifact.ts'
import type { Facts } from '../model/facts.ts'
import type { PlannedFile } from '../model/plan.ts'
import { explain } from '../model/setting.ts'

export const kubeProxyAccount = defineArtifact({
  id: 'cluster-kube-proxy',
  plan: ({ spec }) =>
    cniOf(spec.network.cni).kubeProxy
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
            settings: accountSettings,
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
            settings: bootstrapSettings,
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
    settings: runtimeClassSettings,
  }
}

/** A machine that has not joined yet belongs to the group of its token only. */
const bootstrapSettings = explain(
  'https://kubernetes.io/docs/reference/access-authn-authz/kubelet-tls-bootstrapping/',
  {
    apiVersion: 'The format of the object.',
    kind: 'Bindings to roles that Kubernetes has; no new permission is made.',
    'metadata.name': 'winnode and what is allowed.',
    'metadata.labels."app.kubernetes.io/managed-by"':
      'winnode: drift finds objects of earlier bundles by it.',
    'roleRef.apiGroup': 'Roles are objects of RBAC.',
    'roleRef.kind': 'CertificateSigningRequests have no namespace.',
    'roleRef.name': 'Asking for a certificate, and having the first and the later ones approved.',
    'subjects[].apiGroup': 'Groups are RBAC’s own.',
    'subjects[].kind': 'No account: a token or a certificate says which group one is of.',
    'subjects[].name':
      'Bearers of bootstrap tokens of winnode’s own group for the first certificate, nodes for the later.',
  },
)

const runtimeClassSettings = explain(
  'https://kubernetes.io/docs/concepts/containers/runtime-class/',
  {
    apiVersion: 'The format of the object.',
    kind: 'A RuntimeClass: pods name it, and land where they can run.',
    'metadata.name': 'After the Windows release, as in the Kubernetes documentation.',
    'metadata.labels."app.kubernetes.io/managed-by"':
      'winnode: drift finds objects of earlier bundles by it.',
    handler: 'The handler of containerd’s configuration.',
    'overhead.podFixed.cpu': 'What the utility VM of each pod takes beside the pod.',
    'overhead.podFixed.memory': 'So that the scheduler counts the VM too.',
    'scheduling.nodeSelector."kubernetes.io/os"':
      'Windows. A pod that asks for another node is refused.',
    'scheduling.nodeSelector."kubernetes.io/arch"': 'The one that Windows nodes have.',
    'scheduling.nodeSelector."node.kubernetes.io/windows-build"': {
      why: 'Exactly this build: images of another one may not start.',
      field: 'windows.release',
    },
    'scheduling.tolerations': {
      why: 'One for each taint of these nodes.',
      field: 'kubelet.taints',
    },
    'scheduling.tolerations[].key': 'The taint of these nodes, so that pods need not tolerate it.',
    'scheduling.tolerations[].operator': 'Key and value must both fit.',
    'scheduling.tolerations[].value': 'The value of the taint.',
    'scheduling.tolerations[].effect': 'The effect of the taint.',
  },
)
