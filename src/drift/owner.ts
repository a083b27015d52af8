// Owner: whose change a difference is, by what the bundle says of itself.
import type { Owner } from '../model/drift.ts'
import type { BundleFile } from './evidence.ts'

/** `undefined` where nothing differs. */
export function ownerOf({ found, recorded, rendered }: BundleFile): Owner | undefined {
  if (found === rendered) return undefined
  if (found === recorded) return 'ours'
  return recorded === rendered ? 'theirs' : 'both'
}
