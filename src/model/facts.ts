// A NodeSpec, the table rows of its versions, and the day of the check.
import type { Image } from '../go/image-reference.ts'
import type { AddedFacts, ContainerdLine, KubernetesMinor, WindowsRelease } from './tables.ts'
import type { NodeSpec } from './spec.ts'
import type { TraitId } from './tables.ts'

/** Amounts in millicores and MiB. */
export interface Amounts {
  readonly cpu: number
  readonly memory: number
  readonly ephemeralStorage: number
}

export interface Reservations {
  /** The sizing model that computed the values that the profile does not set. */
  readonly model: string
  readonly capacity: Amounts
  readonly kube: Amounts
  readonly system: Amounts
  readonly eviction: Amounts
  /** capacity - kube - system - eviction; negative if more is reserved than exists. */
  readonly allocatable: Amounts
}

/** The sandbox image, parsed. */
export interface ImageReference extends Image {
  /** As containerd stores it: with the registry, and without the tag if it has a digest. */
  readonly normalised: string
}

/** Options of the check, which do not affect rendered files. */
export interface CheckOptions {
  /** YYYY-MM-DD; only life-cycle rules read it. */
  readonly today: string
  /** Accept versions newer than the known ones, with the rows of the newest known one. */
  readonly allowNewer?: boolean | undefined
  /** Rows of `--facts`. */
  readonly added?: AddedFacts | undefined
}

export interface Facts extends CheckOptions {
  readonly spec: NodeSpec
  readonly windows: WindowsRelease
  /** The row of the kubelet's minor; the nearest row if the version is unknown. */
  readonly kubernetes: KubernetesMinor
  readonly containerd: ContainerdLine
  readonly sandbox: ImageReference
  readonly reservations: Reservations
  /** Whether the chosen version of a component shows this behaviour. */
  readonly has: (trait: TraitId) => boolean
}
