// Behaviours that changed in some version, so that no other file compares versions for them.
import type { Trait, TraitId } from '../model/trait.ts'
import { containerdTraits } from './traits/containerd.ts'
import { kubeProxyTraits } from './traits/kube-proxy.ts'
import { kubeadmTraits } from './traits/kubeadm.ts'
import { kubeletTraits } from './traits/kubelet.ts'
import { inRange } from './version.ts'

/** An id without its row does not compile. */
export const traits: Readonly<Record<TraitId, Trait>> = {
  ...kubeletTraits,
  ...kubeProxyTraits,
  ...kubeadmTraits,
  ...containerdTraits,
}

/** `version` is of the component that the trait is of. */
export function hasTrait(id: TraitId, version: string): boolean {
  return inRange(version, traits[id].range)
}
