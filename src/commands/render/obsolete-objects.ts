// Commands that delete cluster objects of the previous bundle that this one no longer contains.
import { deletionOf } from '../../drift/object.ts'
import { readContent } from '../../io/drift/document.ts'
import type { Planned } from '../../io/bundle/plan-changes.ts'
import type { RenderedFile } from '../../model/plan.ts'

const isManifest = ({ path }: { readonly path: string }) =>
  /(?:^|\/)cluster\/[^/]+\.yaml$/.test(path)

/** One line for each object: removing a manifest from the bundle deletes nothing in the cluster. */
export async function deletionLines(
  { changes, contentsRead }: Planned,
  files: readonly RenderedFile[],
): Promise<readonly string[]> {
  const before = changes
    .filter(({ change }) => change === 'remove' || change === 'replace')
    .filter(isManifest)
    .map(({ path }) => ({ path, content: contentsRead.get(path) ?? new Uint8Array() }))
  const gone = new Set(await deletionsOf(before))
  // A first render: there is nothing to compare.
  if (gone.size === 0) return []
  const now = new Set(await deletionsOf(files.filter(isManifest)))
  return [...gone]
    .filter((command) => !now.has(command))
    .map(
      (command) =>
        `no longer in the bundle: if it was applied and no other bundle contains it, run ${command}`,
    )
}

async function deletionsOf(files: readonly RenderedFile[]): Promise<readonly string[]> {
  const read = await Promise.all(
    files.map(async ({ path, content }) => readContent(content, path, path)),
  )
  return read.flatMap((content) =>
    content.kind === 'documents'
      ? content.docs.flatMap(({ value }) => deletionOf(value) ?? [])
      : [],
  )
}
