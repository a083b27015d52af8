// Completes draft steps: a step that uses a file of the bundle gets the file's digest.
import type { DraftStep } from '../model/plan.ts'
import type { Step } from '../model/step.ts'
import type { Digests } from './digest.ts'

export function addFileDigests(drafts: readonly DraftStep[], digests: Digests): readonly Step[] {
  return drafts.map((draft) => addFileDigest(draft, digests))
}

function addFileDigest(draft: DraftStep, digests: Digests): Step {
  if (!('source' in draft)) return draft
  const sha256 = digests.get(draft.source)
  if (sha256 === undefined) throw new Error(`step ${draft.id}: no file ${draft.source} in the plan`)
  return { ...draft, sha256 }
}
