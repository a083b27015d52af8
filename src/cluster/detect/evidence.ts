// Everything that detection reads from a cluster, and the type of its rows.
import type { DetectedValue } from '../../model/detected.ts'
import type { Path } from '../../model/path.ts'
import type { Access } from '../access.ts'
import type { Network } from './network-plugin.ts'
import type { Observed } from './cluster-objects.ts'

export interface Evidence extends Observed {
  readonly access: Access
  readonly network: Network
}

/** A field of a profile, and its values in the cluster: the most reliable object first. */
export interface Row {
  readonly path: Path
  readonly valuesIn: (evidence: Evidence) => readonly DetectedValue[]
}
