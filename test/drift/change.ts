// The differences between two bundles in memory, as drift reports them for a bundle on a disk.
import { compareBundle } from '../../src/drift/bundle.ts'
import { bundleEvidence } from '../../src/io/drift/bundle-folder.ts'
import type { Drift } from '../../src/model/drift.ts'
import type { Plan, RenderedFile } from '../../src/model/plan.ts'

/** `plan` is that of the newer one. */
export async function changesOf(
  before: readonly RenderedFile[],
  after: readonly RenderedFile[],
  plan: Plan,
): Promise<readonly Drift[]> {
  const held = new Map(before.map(({ path, content }) => [path, { content }]))
  const evidence = await bundleEvidence(after, 'win-node', (path) => held.get(path) ?? {})
  return compareBundle(evidence, plan.files)
}
