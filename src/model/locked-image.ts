// An image of the profile with the digest in winnode.lock.
import { ownOf } from './json.ts'
import type { NodeSpec } from './spec.ts'

export function lockedImage(image: string, { lock }: Pick<NodeSpec['artifacts'], 'lock'>): string {
  const digest = ownOf(lock, image)
  return digest === undefined ? image : `${image}@sha256:${digest}`
}
