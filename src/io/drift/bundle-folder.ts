// Reads a folder with a node.json, and pairs each file with what the profile renders now.
import { dirname, join } from 'node:path'
import type { BundleEvidence, BundleFile, Content } from '../../drift/evidence.ts'
import { parseObject } from '../../model/json.ts'
import { digestOf } from '../../render/digest.ts'
import type { RenderedFile } from '../../model/plan.ts'
import { causeOf } from '../disk-error.ts'
import { lstat, readAtMost } from '../disk.ts'
import { manifestFile, type Manifest, readManifest } from '../bundle-manifest.ts'
import { isWithinFolder, realPath } from '../real-path.ts'
import { below } from '../native-path.ts'
import { withoutSignature } from '../signature.ts'
import { hasFields, readContent } from './document.ts'
import { originalOf } from './original.ts'

/** `folder` is the path as the user typed it, `place` its real path. Read-only. */
export function readBundle(
  files: readonly RenderedFile[],
  { folder, place }: { readonly folder: string; readonly place: string },
  listed: Listed = new Map(),
): Promise<BundleEvidence> {
  const read = (path: string) =>
    leadsOut(place, join(place, path))
      ? { unread: 'a link leads out of the bundle' }
      : readFrom(join(place, path))
  return bundleEvidence(files, folder, read, listed)
}

/** Digests by path, from the manifest of a target output. */
export type Listed = ReadonlyMap<string, string | undefined>

/** Evidence of all files that are rendered, or listed in a manifest. `read` gets a path in the bundle. */
export async function bundleEvidence(
  files: readonly RenderedFile[],
  folder: string,
  read: (path: string) => Read,
  listed: Listed = new Map(),
): Promise<BundleEvidence> {
  const node = read(manifestFile)
  const manifest = node.content && readManifest(node.content)
  const rendered = new Map(files.map(({ path, content }) => [path, content]))
  const recorded = recordedOf(manifest, node.content, rendered.get(manifestFile))
  const paths = new Set([...rendered.keys(), ...(manifest?.files.keys() ?? []), ...listed.keys()])
  const compared = await Promise.all(
    [...paths].sort().map((path) => {
      const found = path === manifestFile ? node : read(path)
      const content = found.content && withoutSignature(path, found.content)
      const about = {
        path,
        shown: below(folder, path),
        recorded: recorded(path) ?? listed.get(path),
      }
      return compareFile(about, { ...found, content }, rendered.get(path))
    }),
  )
  return {
    folder,
    files: compared.flatMap((file) => file ?? []),
    sealed: manifest?.files.get(manifestFile) !== undefined,
  }
}

/** The seal of an edited node.json shows whether it was rendered from the same profile. */
function recordedOf(
  manifest: Manifest | undefined,
  found: Uint8Array | undefined,
  renderedContent: Uint8Array | undefined,
): (path: string) => string | undefined {
  const selfDigest = (content: Uint8Array | undefined) =>
    content && parseObject(new TextDecoder().decode(content))?.['sha256']
  const digest = selfDigest(found)
  const same =
    renderedContent !== undefined && digest !== undefined && digest === selfDigest(renderedContent)
  return (path) =>
    manifest?.files.get(path) ??
    (same && path === manifestFile ? digestOf(renderedContent) : undefined)
}

interface Read {
  readonly content?: Uint8Array | undefined
  readonly unread?: string
}

/** Whether a link redirects the file outside of the folder. */
function leadsOut(place: string, file: string): boolean {
  const [top, folder] = [realPath(place), realPath(dirname(file))]
  return top !== undefined && folder !== undefined && !isWithinFolder(folder, top)
}

/** Neither content nor a reason for a file that is missing. */
export function readFrom(file: string): Read {
  try {
    const stats = lstat(file)
    if (!stats) return {}
    if (!stats.isFile())
      return { unread: `it is ${stats.isDirectory() ? 'a folder' : 'not a regular file'}` }
    const content = readAtMost(file)
    return content ? { content } : { unread: 'it is larger than any file of a bundle' }
  } catch (error) {
    return { unread: causeOf(error) }
  }
}

interface About {
  readonly path: string
  readonly shown: string
  readonly recorded: string | undefined
}

/** `undefined` for a missing file that the profile no longer renders. */
async function compareFile(
  { path, shown, recorded }: About,
  { content, unread }: Read,
  rendered: Uint8Array | undefined,
): Promise<BundleFile | undefined> {
  const digests = {
    found: content && digestOf(content),
    recorded,
    rendered: rendered && digestOf(rendered),
  }
  const about = { path, shown, ...digests }
  if (unread !== undefined) return { ...about, unread }
  if (!content && !rendered) return undefined
  if (!content || !rendered || digests.found === digests.rendered) return about
  const [was, should] = await Promise.all([
    readContent(content, path, shown),
    readContent(rendered, path, path),
  ])
  const wrote = await originalContent(about, content, rendered)
  return { ...about, was, should, ...(wrote && { wrote }) }
}

/** Only for a file with fields that both sides changed. */
async function originalContent(
  { path, found, recorded, rendered }: Omit<BundleFile, 'was' | 'should'>,
  content: Uint8Array,
  renderedContent: Uint8Array,
): Promise<Content | undefined> {
  if (recorded === undefined || recorded === found || recorded === rendered) return undefined
  if (!hasFields(path)) return undefined
  const original = await originalOf(content, renderedContent, recorded)
  return original && readContent(original, path, path)
}
