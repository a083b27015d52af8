// SizingModel: reservations and eviction thresholds, as functions of the size of a machine.
import type { Sourced } from '../model/tables.ts'

/** A percentage of the capacity between the previous tier and `upTo`. */
export interface Tier {
  /** Absent in the last tier. */
  readonly upTo?: number
  readonly percent: number
}

/** A linear function of whole GiB, for machines up to `upTo`: intercept and slope in GiB. */
export interface Piece {
  readonly upTo?: number
  readonly intercept: number
  readonly slope: number
}

/** Computes millicores from the millicores of a machine, or MiB from its MiB. */
export type SizingRule =
  | { readonly kind: 'constant'; readonly amount: number }
  | { readonly kind: 'percent'; readonly base: number; readonly percent: number }
  | { readonly kind: 'perPod'; readonly base: number; readonly perPod: number }
  /** The sum of all tiers; machines smaller than `floor.under` get `floor.amount` instead. */
  | {
      readonly kind: 'tiers'
      readonly tiers: readonly Tier[]
      readonly floor?: { readonly under: number; readonly amount: number }
      /** Each tier is rounded down before the sum. */
      readonly roundEach?: true
    }
  /** The amount of the first step that is large enough, else `above`. */
  | {
      readonly kind: 'steps'
      readonly steps: readonly { readonly upTo: number; readonly amount: number }[]
      readonly above: number
    }
  /** Memory from whole GiB: the size is truncated, the result rounded half up. */
  | { readonly kind: 'pieces'; readonly pieces: readonly Piece[] }
  /** `first` for the first core and `further` for each other, rounded to 10m, and at least `least`. */
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
  /** MiB added on Windows. */
  readonly windowsMemory?: number
  /** MiB, the same for all sizes. */
  readonly ephemeralStorage?: number
}

export type Thresholds = Readonly<Record<string, string>>

export interface EvictionDefaults {
  readonly windows: Thresholds
  readonly linux: Thresholds
  /** The defaults of Windows kubelets before 1.31, if the model sets no thresholds of its own. */
  readonly windowsBefore131?: Thresholds
}

export interface SizingModel extends Sourced {
  readonly id: string
  readonly title: string
  readonly kube: SizingPart
  readonly system: SizingPart
  readonly eviction: EvictionDefaults
  /** What to know before using the numbers. */
  readonly note: string
  /** The publisher gives rounded numbers only. */
  readonly approximate?: true
}
