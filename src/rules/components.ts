// What a profile gives a version to: where it stands in the profile, and which nodes have it.
import { cniOf } from '../cni/index.ts'
import type { Path } from '../model/path.ts'
import type { NodeSpec } from '../model/spec.ts'

export interface Component {
  /** As findings call it. */
  readonly title: string
  readonly path: Path
  readonly version: (spec: NodeSpec) => string
  readonly used: (spec: NodeSpec) => boolean
}

const always = () => true
const withKubeProxy = ({ network }: NodeSpec) => cniOf(network.cni).kubeProxy
const withFlannel = ({ network }: NodeSpec) => network.cni === 'flannel'

/** By the names that the tables use. */
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
  flannel: {
    title: 'flannel',
    path: ['network', 'flannel', 'version'],
    version: ({ network }) => network.flannel.version,
    used: withFlannel,
  },
  'flannel-cni': {
    title: 'flannel’s CNI plugin',
    path: ['network', 'flannel', 'cniPlugin'],
    version: ({ network }) => network.flannel.cniPlugin,
    used: withFlannel,
  },
  cni: {
    title: 'cni-plugins',
    path: ['network', 'cniPlugins'],
    version: ({ network }) => network.cniPlugins,
    used: withFlannel,
  },
} as const satisfies Readonly<Record<string, Component>>
