// The image of the test pods, and whether it supports the Windows build of the profile.
import { parseImage } from '../go/image-reference.ts'
import { lockedImage } from '../model/locked-image.ts'
import { smokeRepository, smokeTagFor } from '../matrix/smoke-images.ts'
import type { Facts } from '../model/facts.ts'
import { buildsOf } from '../matrix/image-builds.ts'

export interface ChosenImage {
  readonly image: string
  /** `unknown`: winnode does not know the image's Windows builds. */
  readonly verdict: 'fits' | 'unknown' | 'refused'
  readonly message: string
}

/** `imageFlag` is the value of `--image`, before `smoke.image` of the profile. */
export function chooseImage({ kubernetes, windows, spec }: Facts, imageFlag?: string): ChosenImage {
  if (imageFlag !== undefined) return checkBuild(imageFlag, windows.build)
  const { image } = spec.smoke
  if (image !== undefined) return checkBuild(lockedImage(image, spec.artifacts), windows.build)
  const tag = smokeTagFor(kubernetes.minor, windows.build)
  if (tag === undefined)
    return {
      image: smokeRepository,
      verdict: 'refused',
      message: `no known tag of ${smokeRepository} has Windows build ${windows.build}: name an image with smoke.image or --image`,
    }
  return checkBuild(lockedImage(`${smokeRepository}:${tag}`, spec.artifacts), windows.build)
}

function checkBuild(image: string, build: number): ChosenImage {
  const parsed = parseImage(image)
  if (!parsed) return { image, verdict: 'refused', message: `${image} is not an image reference` }
  // A mirror has the same tags as the upstream repository.
  const isMirrored = /(?:^|\/)agnhost$/.test(parsed.repository) && parsed.tag !== undefined
  const upstream = isMirrored ? `${smokeRepository}:${parsed.tag}` : image
  const { builds, runsOnEvery } = buildsOf(upstream, new Map())
  if (!builds && !runsOnEvery)
    return { image, verdict: 'unknown', message: `${image}: its Windows builds are unknown` }
  return !builds || builds.includes(build)
    ? { image, verdict: 'fits', message: `${image} has Windows build ${build}` }
    : {
        image,
        verdict: 'refused',
        message: `${image} has no Windows build ${build}, only ${builds.join(', ')}: its pods cannot start`,
      }
}
