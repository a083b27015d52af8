// The cause of a difference: winnode or the profile (`ours`), or a manual change (`theirs`), by the digests in the bundle.
import type { Owner } from '../model/drift.ts'
import { isWithin, type Path } from '../model/path.ts'
import type { BundleFile, Content, Found } from './evidence.ts'
import { leavesOf } from './leaves.ts'

/** `undefined` where nothing differs. */
export function ownerOf({ found, recorded, rendered }: BundleFile): Owner | undefined {
  if (found === rendered) return undefined
  if (found === recorded) return 'ours'
  return recorded === rendered ? 'theirs' : 'both'
}

/** The owner of each field of a file; if only the file is known, its owner applies to all fields. */
export function fieldOwners(file: BundleFile, owner: Owner): (leaf: Found) => Owner {
  const { was, should, wrote } = file
  if (owner !== 'both' || !wrote) return () => owner
  const [edited, outdated] = [changed(file, wrote, was), changed(file, should, wrote)]
  return ({ path }) => {
    const touches = (paths: readonly Path[]) =>
      paths.some((one) => isWithin(one, path) || isWithin(path, one))
    const [theirs, ours] = [touches(edited), touches(outdated)]
    if (theirs === ours) return 'both'
    return theirs ? 'theirs' : 'ours'
  }
}

function changed(
  { path }: BundleFile,
  from: Content | undefined,
  to: Content | undefined,
): readonly Path[] {
  if (from?.kind !== 'documents' || to?.kind !== 'documents') return []
  return leavesOf(path, from.docs, to.docs).map((leaf) => leaf.path)
}
