// Patterns in the kubelet's preloadedImagesVerificationAllowlist.
// https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/images/pullmanager/image_pull_policies.go
import { parseImage } from '../../go/image-reference.ts'

/** A prefix that ends in `/*`, or an image name as pods write it, such as nginx: without tag and digest. */
export function isImagePattern(text: string): boolean {
  return isPattern(text, (name) => /(?:^|\/)[^/:@]+$/.test(name) && !name.includes('@'))
}

/** Before 1.36 an image name is compared with its normalized form: docker.io/library/nginx. */
export function isNormalizedImagePattern(text: string): boolean {
  return isPattern(text, (name) => {
    const image = parseImage(name)
    return image !== undefined && name === `${image.registry}/${image.repository}`
  })
}

function isPattern(text: string, isName: (name: string) => boolean): boolean {
  const plain = text.endsWith('/*') ? text.slice(0, -1) : text
  if (text !== text.trim() || plain === '' || plain.includes('*')) return false
  return plain === text ? isName(text) : plain.length > 1
}
