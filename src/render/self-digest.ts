// A JSON file that contains its own digest, so that the next render can detect changes.
import type { RenderedFile } from '../model/plan.ts'
import { digestOf } from './digest.ts'
import { jsonText } from './json-text.ts'
import { encodeText } from './encode.ts'

/** A file cannot contain its own digest: it is hashed with zeros there. */
const zeroDigest = '0'.repeat(64)

interface SelfDigested {
  readonly apiVersion: 'winnode/v1'
  readonly kind: string
}

export function selfDigestFile(
  path: string,
  { apiVersion, kind, ...rest }: SelfDigested,
): RenderedFile {
  const text = jsonText({ apiVersion, kind, sha256: zeroDigest, ...rest })
  return { path, content: encodeText(text.replace(zeroDigest, digestOf(encodeText(text)))) }
}

/** The digest that a file with `own` in it should have: equal to `own` unless the file was modified. */
export function selfDigestOf(text: string, own: string): string {
  return digestOf(text.replace(own, zeroDigest))
}
