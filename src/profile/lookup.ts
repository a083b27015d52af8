// From a NodeSpec to facts: the table rows for its versions, and values derived from them.
import { lazy } from '../model/lazy.ts'
import { containerdOf } from '../matrix/containerd.ts'
import { kubernetesOf } from '../matrix/kubernetes.ts'
import { hasTrait, traits } from '../matrix/traits.ts'
import { windowsOf } from '../matrix/windows.ts'
import type { Facts, ImageReference, CheckOptions } from '../model/facts.ts'
import { normalisedImage, parseImage } from '../go/image-reference.ts'
import type { NodeSpec } from '../model/spec.ts'
import type { Trait } from '../model/tables.ts'
import { reservationsOf } from '../sizing/reservations.ts'

const versionOf: Readonly<Record<Trait['of'], (spec: NodeSpec) => string>> = {
  'kube-apiserver': ({ kubernetes }) => kubernetes.apiServer,
  kubelet: ({ kubernetes }) => kubernetes.version,
  'kube-proxy': ({ kubernetes }) => kubernetes.kubeProxy,
  kubeadm: ({ kubernetes }) => kubernetes.kubeadm,
  containerd: ({ containerd }) => containerd.version,
  'kubelet-csr-approver': ({ cluster }) => parseImage(cluster.csrApprover.image)?.tag ?? '',
}

/** Rows are looked up on first read, so that the fields a rule reads can be recorded. */
export function factsOf(spec: NodeSpec, options: CheckOptions): Facts {
  const windows = lazy(() => windowsOf(spec.windows.release, options.added))
  const kubernetes = lazy(() => kubernetesOf(spec.kubernetes.version, options.added).row)
  const containerd = lazy(() => containerdOf(spec.containerd.version, options.added).row)
  const sandbox = lazy(() => imageReference(spec.sandboxImage))
  const reservations = lazy(() => reservationsOf(spec))
  return {
    spec,
    ...options,
    get windows() {
      return windows()
    },
    get kubernetes() {
      return kubernetes()
    },
    get containerd() {
      return containerd()
    },
    get sandbox() {
      return sandbox()
    },
    get reservations() {
      return reservations()
    },
    has: (trait) => hasTrait(trait, versionOf[traits[trait].of](spec)),
  }
}

/** Parsed as containerd does. A refused field has its default here. */
function imageReference(text: string): ImageReference {
  const image = parseImage(text) ?? {
    registry: '',
    repository: text,
    tag: undefined,
    digest: undefined,
  }
  return { ...image, normalised: normalisedImage(image) }
}
