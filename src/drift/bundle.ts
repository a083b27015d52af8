// Differences between the files of a bundle and those that the profile renders, each with its owner.
import type { Drift } from '../model/drift.ts'
import type { PlannedFile } from '../model/plan.ts'
import { createRedactor } from '../text/secrets.ts'
import { brokenDrift, fieldDrift, fileDrift, sameDrift } from './bundle-drift.ts'
import type { BundleEvidence, BundleFile, Content } from './evidence.ts'
import { leavesOf } from './leaves.ts'
import { isCovered } from './node-document.ts'
import { fieldOwners, ownerOf } from './owner.ts'
import { readable } from './readable.ts'
import { unreadableDrift } from './unreadable.ts'
import { absentKinds, leftOverKinds, textKinds } from './messages.ts'

/** `planned` are the files that the profile renders now. */
export function compareBundle(
  evidence: BundleEvidence,
  planned: readonly PlannedFile[],
): readonly Drift[] {
  const plans = new Map(planned.map((file) => [file.path, file]))
  return evidence.files.flatMap((file) => compareFile(file, plans.get(file.path), evidence))
}

/** README files and the list of downloads only repeat the rest of the bundle. */
const follows = /\.md$|^bom\.json$/

function compareFile(
  file: BundleFile,
  plan: PlannedFile | undefined,
  evidence: BundleEvidence,
): readonly Drift[] {
  if (file.unread !== undefined) return [unreadableDrift(file.shown, file.unread)]
  const owner = ownerOf(file)
  if (owner === undefined) return []
  if (file.rendered === undefined) return [fileDrift(file, owner, leftOverKinds)]
  if (file.found === undefined) return [fileDrift(file, owner, absentKinds)]
  const { was, should } = file
  if (owner === 'ours' && follows.test(file.path)) return [fileDrift(file, owner, textKinds)]
  if (was?.kind !== 'documents' || should?.kind !== 'documents') {
    return sameText(was, should) ? [sameDrift(file, owner)] : [fileDrift(file, owner, textKinds)]
  }
  // The fields of an unreadable file are unknown.
  const leaves =
    was.docs.length === 0 ? [] : readable(leavesOf(file.path, should.docs, was.docs), was.faults)
  const reported = leaves.filter((leaf) => !isCovered(leaf, file, evidence, leaves))
  const ownerOfField = fieldOwners(file, owner)
  const conceal = createRedactor()
  const drifts = reported.map((leaf) =>
    fieldDrift(file, ownerOfField(leaf), { leaf, plan, conceal }),
  )
  const broken = was.faults.map((fault) => brokenDrift(file, owner, fault))
  return drifts.length + broken.length + leaves.length === 0
    ? [sameDrift(file, owner)]
    : [...broken, ...drifts]
}

function sameText(was: Content | undefined, should: Content | undefined): boolean {
  return was?.kind === 'text' && should?.kind === 'text' && was.text === should.text
}
