// SHA-256 of the files of a bundle.
import { compareText } from '../model/finding.ts'
import type { RenderedFile } from '../model/plan.ts'

/** Lower-case hexadecimal digests by path in the bundle. */
export type Digests = ReadonlyMap<string, string>

export function digestFiles(files: readonly RenderedFile[]): Digests {
  return new Map(files.map(({ path, content }) => [path, digestOf(content)]))
}

/** Loads node:crypto on first use: that takes a tenth of a short run, and not every run needs a digest. */
export function digestOf(content: Uint8Array | string, algorithm = 'sha256'): string {
  // eslint-disable-next-line no-restricted-globals -- a digest follows from its text alone
  const { createHash } = process.getBuiltinModule('node:crypto')
  return createHash(algorithm).update(content).digest('hex')
}

export function digestList(
  digests: Digests,
): readonly { readonly path: string; readonly sha256: string }[] {
  return [...digests]
    .map(([path, sha256]) => ({ path, sha256 }))
    .toSorted((a, b) => compareText(a.path, b.path))
}
