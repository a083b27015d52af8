// Bundle: the differences of a folder that render wrote.
import { compareBundle } from '../../drift/bundle.ts'
import { readBundle } from '../../io/drift/bundle-folder.ts'
import type { Drift } from '../../model/drift.ts'
import { mostOf, type Need } from '../../model/need.ts'
import type { Plan, RenderedFile } from '../../model/plan.ts'
import type { Evidence } from './evidence.ts'

export async function bundleDrift(
  evidence: Extract<Evidence, { readonly kind: 'bundle' }>,
  files: readonly RenderedFile[],
  plan: Plan,
): Promise<readonly Drift[]> {
  return compareBundle(await readBundle(files, evidence), plan.files)
}

/** What it takes to bring this change to a node that the bundle was used on. */
export async function changeNeed(
  folder: string,
  files: readonly RenderedFile[],
  plan: Plan,
): Promise<Need> {
  const drifts = await bundleDrift({ kind: 'bundle', folder, place: folder }, files, plan)
  return mostOf(drifts.flatMap(({ need }) => need ?? []))
}
