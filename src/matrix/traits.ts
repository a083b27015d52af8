// Behaviours that changed in some version, so that no other file compares versions for them.
import type { Trait } from '../model/rows.ts'
import { containerdTraits } from './traits/containerd.ts'
import { kubeProxyTraits } from './traits/kube-proxy.ts'
import { kubeadmTraits } from './traits/kubeadm.ts'
import { kubeletTraits } from './traits/kubelet.ts'
import { inRange } from './version.ts'

export const traits: Readonly<Record<string, Trait>> = {
  ...kubeletTraits,
  ...kubeProxyTraits,
  ...kubeadmTraits,
  ...containerdTraits,
}

export type ComponentVersions = Readonly<Record<Trait['of'], string>>

/** A trait that is not in the table is a slip of ours, not a matter of versions. */
export function traitHolds(id: string, versions: ComponentVersions): boolean {
  const trait = traits[id]
  if (!trait) throw new Error(`no trait is called ${id}`)
  return inRange(versions[trait.of], trait.range)
}
