// Target: what a bundle is made for, as one declaration that decides nothing about the node.
import type { Facts } from '../model/facts.ts'
import type { Body, Plan, RenderedFile } from '../model/plan.ts'

/** What somebody else's program takes at most. */
export interface Limit {
  /** Such as `user data of EC2`. */
  readonly of: string
  readonly most: number
  readonly unit: 'bytes' | 'characters'
  readonly see: string
}

export interface Input {
  readonly plan: Plan
  /** `spec.targets` of it holds the fields of each target. */
  readonly facts: Facts
  /** Every file of the bundle, in the order of their paths. */
  readonly bundle: readonly RenderedFile[]
  /** A template, JSON or a script of `templates/` to bytes. */
  readonly render: (file: { readonly path: string; readonly body: Body }) => Promise<RenderedFile>
}

export type Made =
  | {
      readonly kind: 'made'
      /** Beside the folder `bundle`, which each target has. */
      readonly files: readonly RenderedFile[]
      /** What a person does with them, each as one sentence without a dot. */
      readonly next: readonly string[]
    }
  /** The profile does not fit: it is too large, or a field is missing. */
  | { readonly kind: 'refused'; readonly message: string; readonly hints: readonly string[] }

export interface Target {
  readonly name: string
  /** What it makes, as one sentence. */
  readonly summary: string
  /** It makes one file, which stdout can take. */
  readonly single: boolean
  readonly limits: readonly Limit[]
  /** Fields below `targets.NAME` that it reads. */
  readonly reads: readonly string[]
  /** Pure: the same input gives the same bytes. */
  readonly make: (input: Input) => Promise<Made>
}

export function defineTarget(target: Target): Target {
  return target
}
