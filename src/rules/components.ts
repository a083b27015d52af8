// Components with a version: the profile field that sets it, and whether a node runs the component.
import { everyCni } from '../cni/index.ts'
import { kubeProxyRuns } from '../cni/kube-proxy.ts'
import type { ProgramReleases, VersionField } from '../model/program-releases.ts'
import type { NodeSpec } from '../model/spec.ts'

interface OnSomeNodes {
  readonly used: (spec: NodeSpec) => boolean
}
export type Component = VersionField & OnSomeNodes

const always = () => true
const withKubeProxy = (spec: NodeSpec) => kubeProxyRuns(spec) !== false

/** Keyed by the names that the tables of `src/matrix` use. */
export const components = {
  kubelet: {
    title: 'kubelet',
    path: ['kubernetes', 'version'],
    version: ({ kubernetes }) => kubernetes.version,
    used: always,
  },
  'kube-apiserver': {
    title: 'API server',
    path: ['kubernetes', 'apiServer'],
    version: ({ kubernetes }) => kubernetes.apiServer,
    used: always,
  },
  'kube-proxy': {
    title: 'kube-proxy',
    path: ['kubernetes', 'kubeProxy'],
    version: ({ kubernetes }) => kubernetes.kubeProxy,
    used: withKubeProxy,
  },
  kubeadm: {
    title: 'kubeadm',
    path: ['kubernetes', 'kubeadm'],
    version: ({ kubernetes }) => kubernetes.kubeadm,
    used: always,
  },
  containerd: {
    title: 'containerd',
    path: ['containerd', 'version'],
    version: ({ containerd }) => containerd.version,
    used: always,
  },
  crictl: {
    title: 'crictl',
    path: ['containerd', 'crictl'],
    version: ({ containerd }) => containerd.crictl,
    used: always,
  },
} as const satisfies Readonly<Record<string, Component>>

/** Programs of the network plugins, each used only on nodes with its plugin. */
export const pluginComponents: readonly (ProgramReleases & OnSomeNodes)[] = everyCni.flatMap(
  ({ id, versions = [] }) =>
    versions.map((row) => ({ ...row, used: ({ network }: NodeSpec) => network.cni === id })),
)
