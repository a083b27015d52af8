// A NodeSpec to facts: the rows that its choices look up, and what follows from them.
import { containerdOf } from '../matrix/containerd.ts'
import { kubernetesOf } from '../matrix/kubernetes.ts'
import { traitHolds } from '../matrix/traits.ts'
import { findWindows, windowsReleases } from '../matrix/windows.ts'
import type { Facts, ImageReference } from '../model/facts.ts'
import type { NodeSpec } from '../model/spec.ts'
import { reservationsOf } from '../sizing/reservations.ts'

/** Rows are looked up when they are read, so that a rule is known by the fields that it reads. */
export function factsOf(spec: NodeSpec, today: string): Facts {
  return {
    spec,
    today,
    get windows() {
      return findWindows(spec.windows.release) ?? windowsReleases[0]
    },
    get kubernetes() {
      return kubernetesOf(spec.kubernetes.version).row
    },
    get containerd() {
      return containerdOf(spec.containerd.version).row
    },
    get sandbox() {
      return imageReference(spec.sandboxImage)
    },
    get reservations() {
      return reservationsOf(spec)
    },
    has: (trait) =>
      traitHolds(trait, {
        kubelet: spec.kubernetes.version,
        'kube-proxy': spec.kubernetes.kubeProxy,
        kubeadm: spec.kubernetes.kubeadm,
        containerd: spec.containerd.version,
      }),
  }
}

/** `registry/repository:tag@digest`; the registry ends at the first slash. */
function imageReference(text: string): ImageReference {
  const [named = '', digest] = text.split('@')
  const slash = named.indexOf('/')
  const colon = named.indexOf(':', slash)
  return {
    registry: named.slice(0, slash),
    repository: named.slice(slash + 1, colon === -1 ? undefined : colon),
    tag: colon === -1 ? undefined : named.slice(colon + 1),
    digest,
  }
}
