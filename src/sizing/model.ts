// SizingModel: how much somebody keeps from pods, as rules over the size of a machine.
import type { Sourced } from '../model/rows.ts'

/** Up to this much of the machine (all of the rest where absent), this share in percent. */
export interface Tier {
  readonly upTo?: number
  readonly percent: number
}

/** Over whole GiB up to `upTo`: intercept and slope, in GiB. */
export interface Piece {
  readonly upTo?: number
  readonly intercept: number
  readonly slope: number
}

/** Millicores from cores, or MiB from MiB. */
export type SizingRule =
  | { readonly kind: 'constant'; readonly amount: number }
  | { readonly kind: 'percent'; readonly base: number; readonly percent: number }
  | { readonly kind: 'perPod'; readonly base: number; readonly perPod: number }
  /** Tiers of MiB, or of cores; below `floor.under` the floor takes their place. */
  | {
      readonly kind: 'tiers'
      readonly tiers: readonly Tier[]
      readonly floor?: { readonly under: number; readonly amount: number }
      /** Each tier is rounded down before they are added. */
      readonly roundEach?: true
    }
  /** By size: the first step that the machine fits in, the last one having no end. */
  | {
      readonly kind: 'steps'
      readonly steps: readonly { readonly upTo: number; readonly amount: number }[]
      readonly above: number
    }
  /** Memory in whole GiB, truncated before and rounded half up after. */
  | { readonly kind: 'pieces'; readonly pieces: readonly Piece[] }
  /** The first core, and each further one, to the nearest 10m, never below the least. */
  | {
      readonly kind: 'perCore'
      readonly first: number
      readonly further: number
      readonly least: number
    }
  | { readonly kind: 'least'; readonly of: readonly SizingRule[] }
  /** Rounded up, because the factor is an approximation. */
  | { readonly kind: 'scale'; readonly factor: number; readonly of: SizingRule }

export interface SizingPart {
  readonly cpu?: SizingRule
  readonly memory?: SizingRule
  /** Added to the memory on Windows. */
  readonly windowsMemory?: number
  /** In MiB, whatever the size. */
  readonly ephemeralStorage?: number
}

export type Thresholds = Readonly<Record<string, string>>

export interface EvictionDefaults {
  readonly windows: Thresholds
  readonly linux: Thresholds
  /** On Windows with a kubelet before 1.31, where the model leaves the kubelet's defaults. */
  readonly windowsBefore131?: Thresholds
}

export interface SizingModel extends Sourced {
  readonly id: string
  readonly title: string
  readonly kube: SizingPart
  readonly system: SizingPart
  readonly eviction: EvictionDefaults
  /** What a reader must know before using its numbers. */
  readonly note: string
  /** Its numbers are not published as exact. */
  readonly approximate?: true
}
