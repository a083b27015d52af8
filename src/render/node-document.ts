// node.json: the desired state that the node's module reads.
import { manifestNames } from '../model/bundle-path.ts'
import type { Plan, PlannedFact, RenderedFile } from '../model/plan.ts'
import type { Step } from '../model/step.ts'
import type { PreflightCheck } from '../model/preflight.ts'
import type { HealthCheck } from '../model/health.ts'
import type { Digests } from './digest.ts'
import { toPairs } from './named.ts'
import type { Named } from './named.ts'
import { listed, sealedFile } from './sealed-file.ts'

type PreflightValue = PreflightCheck['with'][string]

export interface NodeDocument {
  readonly apiVersion: 'winnode/v1'
  readonly kind: 'NodeDocument'
  readonly name: string
  /** Folders on the node that winnode keeps for itself. */
  readonly paths: { readonly log: string; readonly state: string }
  readonly facts: readonly (Omit<PlannedFact, 'with'> & {
    readonly with?: readonly Named<string>[]
  })[]
  readonly preflight: readonly (Omit<PreflightCheck, 'with'> & {
    readonly with: readonly Named<PreflightValue>[]
  })[]
  /** What shows that a member works. */
  readonly health: readonly (Omit<HealthCheck, 'with'> & {
    readonly with: readonly Named<PreflightValue>[]
  })[]
  readonly steps: readonly Step[]
  /** Every other file of the bundle: what is ours, and what it held. */
  readonly files: readonly { readonly path: string; readonly sha256: string }[]
}

export function nodeFile(documentOf: () => NodeDocument): RenderedFile {
  return sealedFile(manifestNames.bundle, documentOf)
}

export function nodeDocument(plan: Plan, steps: readonly Step[], digests: Digests): NodeDocument {
  return {
    apiVersion: 'winnode/v1',
    kind: 'NodeDocument',
    name: plan.name,
    paths: { log: 'C:\\var\\log\\winnode', state: 'C:\\ProgramData\\winnode' },
    facts: plan.facts.map(({ with: needs, ...fact }) =>
      needs ? { ...fact, with: toPairs(needs) } : fact,
    ),
    preflight: plan.preflight.map((check) => ({ ...check, with: toPairs(check.with) })),
    health: plan.health.map((check) => ({ ...check, with: toPairs(check.with) })),
    steps,
    files: listed(digests),
  }
}
