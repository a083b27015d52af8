// Patterns in the kubelet's preloadedImagesVerificationAllowlist.
// https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/images/pullmanager/image_pull_policies.go
import { parseImage } from '../../go/image-reference.ts'

/** A prefix that ends in `/*`, or a normalized image name: with its registry, without tag and digest. */
export function isImagePattern(text: string): boolean {
  if (text !== text.trim()) return false
  const folder = text.endsWith('/*')
  const plain = folder ? text.slice(0, -1) : text
  if (plain === '' || plain.includes('*')) return false
  if (folder) return plain.length > 1
  const image = parseImage(text)
  return image !== undefined && text === `${image.registry}/${image.repository}`
}
