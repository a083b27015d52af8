// Sealed-file: a JSON document that holds its own digest, and a list of files with theirs.
import { compareText } from '../model/finding.ts'
import type { RenderedFile } from '../model/plan.ts'
import { digestOf, type Digests } from './digest.ts'
import { jsonText } from './json-text.ts'
import { encodeText } from './text.ts'

/** A file cannot hold its own digest: these zeros are hashed with the rest, and then replaced. */
const unsealed = '0'.repeat(64)

export interface Headed {
  readonly apiVersion: 'winnode/v1'
  readonly kind: string
}

/**
 * The digest stands behind the kind, and lets the next render see that somebody edited the file. It is made when it is
 * first read: a dry run into a new folder asks for names alone.
 */
export function sealedFile(path: string, documentOf: () => Headed): RenderedFile {
  let made: Uint8Array | undefined
  return {
    path,
    get content() {
      made ??= sealed(documentOf())
      return made
    },
  }
}

function sealed({ apiVersion, kind, ...rest }: Headed): Uint8Array {
  const text = jsonText({ apiVersion, kind, sha256: unsealed, ...rest })
  return encodeText(text.replace(unsealed, digestOf(encodeText(text))))
}

export function listed(
  digests: Digests,
): readonly { readonly path: string; readonly sha256: string }[] {
  return [...digests]
    .map(([path, sha256]) => ({ path, sha256 }))
    .toSorted((a, b) => compareText(a.path, b.path))
}
