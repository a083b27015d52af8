// Compares the folder of targets with what the profile renders for the same targets.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { compareBundle } from '../../drift/bundle.ts'
import { fileDrift } from '../../drift/bundle-drift.ts'
import { unmatchedDrift, unreadableDrift } from '../../drift/unreadable.ts'
import { textKinds } from '../../drift/messages.ts'
import { type Listed, readBundle, readFrom } from '../../io/drift/bundle-folder.ts'
import { readManifest } from '../../io/bundle-manifest.ts'
import { below } from '../../io/native-path.ts'
import { manifestNames } from '../../model/bundle-path.ts'
import type { Drift } from '../../model/drift.ts'
import type { Finding } from '../../model/finding.ts'
import { isList, parseObject } from '../../model/json.ts'
import type { Plan, RenderedFile } from '../../model/plan.ts'
import { digestOf } from '../../render/digest.ts'
import { bundleFolders, targetsOf } from '../../targets/index.ts'
import type { Rendered } from '../render/targets.ts'

/** Renders the profile for these targets. */
export type OutputOf = (
  names: readonly string[],
) => Promise<Rendered & { readonly findings: readonly Finding[] }>

interface Folder {
  /** As typed. */
  readonly folder: string
  readonly place: string
}

export async function outputDrift(
  folder: Folder,
  outputOf: OutputOf,
  plan: Plan,
): Promise<readonly Drift[]> {
  const shown = below(folder.folder, manifestNames.output)
  const { content, unread } = readFrom(join(folder.place, manifestNames.output))
  const manifest = content && readManifest(content, manifestNames.output)
  if (!content || !manifest)
    return [unreadableDrift(shown, unread ?? 'it is no manifest of winnode')]
  const named = parseObject(new TextDecoder().decode(content))?.['targets']
  const all = isList(named) ? named.map(String) : []
  const names = targetsOf(all)
  const unknown = all.filter((name) => !names.includes(name))
  if (names.length === 0) return [unreadableDrift(shown, 'it names no target')]
  if (unknown.length > 0) return [unreadableDrift(shown, `unknown target ${unknown.join(', ')}`)]
  const { output, findings } = await outputOf(names)
  const refusal = findings.find(({ severity }) => severity === 'error')?.message ?? ''
  if (!output)
    return [
      unmatchedDrift(
        shown,
        `the profile does not fit its targets: ${refusal}`,
        'Compare it with the profile that it was rendered from, or correct the profile.',
      ),
    ]
  const bundles = bundleFolders(names)
  const compared = await Promise.all([
    ...bundles.map((bundle) =>
      partDrift(part(folder, bundle), output.files, manifest.files, { bundle, plan }),
    ),
    ownDrift(folder, output.files, manifest.files, bundles),
  ])
  const drifts = compared.flat()
  const today = output.files.find(({ path }) => path === manifestNames.output)
  return [...drifts, ...manifestDrift(content, today, { shown, manifest, drifts })]
}

const part = ({ folder, place }: Folder, name: string): Folder => ({
  folder: join(folder, name),
  place: join(place, name),
})

/** A bundle in the folder. Where all of it is missing, its manifest stands for its files. */
async function partDrift(
  folder: Folder,
  files: readonly RenderedFile[],
  listed: Listed,
  { bundle, plan }: { readonly bundle: string; readonly plan: Plan },
): Promise<readonly Drift[]> {
  const isOf = (path: string) =>
    existsSync(folder.place) ? path.startsWith(bundle) : path === bundle + manifestNames.bundle
  const within = (path: string) => path.slice(bundle.length)
  const rendered = files.filter(({ path }) => isOf(path))
  const digests = [...listed].filter(([path]) => isOf(path))
  const evidence = await readBundle(
    rendered.map(({ path, content }) => ({ path: within(path), content })),
    folder,
    new Map(digests.map(([path, digest]) => [within(path), digest])),
  )
  return compareBundle(evidence, plan.files)
}

/** The files of the targets: no installed node reads them. */
async function ownDrift(
  folder: Folder,
  files: readonly RenderedFile[],
  listed: Listed,
  bundles: readonly string[],
): Promise<readonly Drift[]> {
  const isOwn = (path: string) =>
    path !== manifestNames.output && !bundles.some((bundle) => path.startsWith(bundle))
  const rendered = files.filter(({ path }) => isOwn(path))
  const digests = new Map([...listed].filter(([path]) => isOwn(path)))
  const drifts = compareBundle(await readBundle(rendered, folder, digests), [])
  return drifts.map((drift) => ({ ...drift, need: 'nothing' }))
}

/** Its digests follow the other files: alone it differs by hand, or by its targets and added facts. */
function manifestDrift(
  content: Uint8Array,
  today: RenderedFile | undefined,
  {
    shown,
    manifest,
    drifts,
  }: {
    readonly shown: string
    readonly manifest: { readonly files: Listed }
    readonly drifts: readonly Drift[]
  },
): readonly Drift[] {
  const [found, rendered] = [digestOf(content), today && digestOf(today.content)]
  const recorded = manifest.files.get(manifestNames.output)
  if (found === rendered || (recorded !== undefined && drifts.length > 0)) return []
  const file = { path: manifestNames.output, shown, found, recorded, rendered }
  const owner = recorded === undefined ? 'theirs' : 'ours'
  return [{ ...fileDrift(file, owner, textKinds), need: 'nothing' }]
}
