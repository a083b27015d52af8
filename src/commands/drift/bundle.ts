// Compares a bundle on disk with the one that the profile renders.
import { compareBundle } from '../../drift/bundle.ts'
import { bundleEvidence, readBundle } from '../../io/drift/bundle-folder.ts'
import type { Drift } from '../../model/drift.ts'
import { largestNeed, type Need } from '../../model/need.ts'
import type { Plan, RenderedFile } from '../../model/plan.ts'
import type { Evidence } from './evidence.ts'

export async function bundleDrift(
  evidence: Extract<Evidence, { readonly kind: 'bundle' }>,
  files: readonly RenderedFile[],
  plan: Plan,
): Promise<readonly Drift[]> {
  return compareBundle(await readBundle(files, evidence), plan.files)
}

/** What an installed node needs after this change, such as a reboot; `held` is the present content of the bundle. */
export async function changeNeed(
  held: ReadonlyMap<string, Uint8Array | undefined>,
  files: readonly RenderedFile[],
  plan: Plan,
): Promise<Need> {
  const read = (path: string) => ({ content: held.get(path) })
  const drifts = compareBundle(await bundleEvidence(files, '.', read), plan.files)
  return largestNeed(drifts.flatMap(({ need }) => need ?? []))
}
