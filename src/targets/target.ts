// The type of a target: the form of the bundle for one kind of pipeline; it decides nothing about the node.
import type { Facts } from '../model/facts.ts'
import type { Finding } from '../model/finding.ts'
import type { Path } from '../model/path.ts'
import type { Body, Plan, RenderedFile } from '../model/plan.ts'

export interface Input {
  readonly plan: Plan
  /** `spec.targets` has the fields of each target. */
  readonly facts: Facts
  /** Whether the user sets the field; the values of built-in profiles are assumptions. */
  readonly isSet: (path: Path) => boolean
  /** The files of the bundle, sorted by path. */
  readonly bundle: readonly RenderedFile[]
  /** Reads a file that a field names, or returns the reason why it cannot. */
  readonly read: (name: string, field: Path) => Uint8Array | string
  /** Renders a template, JSON or a script of `templates/`. */
  readonly render: (file: { readonly path: string; readonly body: Body }) => Promise<RenderedFile>
}

export type TargetResult =
  | {
      readonly kind: 'made'
      /** Files beside the folder `bundle`, which each target gets. */
      readonly files: readonly RenderedFile[]
      /** Next steps of the user, each as one sentence without a period. */
      readonly next: readonly string[]
    }
  | Refused

/** The target cannot use the profile: it is too large, a field is missing, or machines would not join. */
export interface Refused {
  readonly kind: 'refused'
  readonly refusals: readonly Refusal[]
}

export type Refusal = Pick<Finding, 'path' | 'message' | 'see'> & { readonly remedy: string }

export function refused(...refusals: readonly Refusal[]): Refused {
  return { kind: 'refused', refusals }
}

export interface Target {
  readonly name: string
  /** It makes one file, which can go to stdout. */
  readonly single: boolean
  /** Pure: the same input gives the same bytes. */
  readonly make: (input: Input) => Promise<TargetResult>
}

export function defineTarget(target: Target): Target {
  return target
}
