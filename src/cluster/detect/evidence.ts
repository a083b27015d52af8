// Evidence: everything that was read of a cluster, for the rows that say what it means.
import type { Said } from '../../model/detected.ts'
import type { Path } from '../../model/path.ts'
import type { Access } from '../access.ts'
import type { Network } from './network-plugin.ts'
import type { Seen } from './reads.ts'

export interface Evidence extends Seen {
  readonly access: Access
  readonly network: Network
}

/** A field of a profile, and what each object says of it: the one that knows best first. */
export interface Row {
  readonly path: Path
  readonly says: (evidence: Evidence) => readonly Said[]
}
