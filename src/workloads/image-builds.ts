// Image-builds: the Windows builds that an image runs on, by its tag, by tables, or by the index of its registry.
import { parseImage } from '../go/image-reference.ts'
import { findSandboxRepository, findSandboxTag } from '../matrix/sandbox-images.ts'
import { buildsOfSmokeTag, smokeRepository } from '../matrix/smoke-images.ts'
import { windowsReleases } from '../matrix/windows.ts'
import { hostProcessImage } from '../model/host-process-image.ts'

/** Of an image index; a registry names no build for an image that runs on all of them. */
export interface ImagePlatforms {
  readonly windows: readonly { readonly build: number | undefined }[]
  /** Other operating systems. */
  readonly others: readonly string[]
}

export interface Builds {
  /** `undefined` where unknown; empty where it has none for Windows. */
  readonly builds: readonly number[] | undefined
  /** It runs on every build. */
  readonly every: boolean
  /** Where it is known from. */
  readonly from: 'its tag' | 'the tables of winnode' | 'its registry' | undefined
  /** Whether its name or its platforms say that it is for Windows. */
  readonly isForWindows: boolean
}

const unknown: Builds = { builds: undefined, every: false, from: undefined, isForWindows: false }

export function buildsOf(image: string, platforms: ReadonlyMap<string, ImagePlatforms>): Builds {
  const told = platforms.get(image)
  if (told) {
    const { windows, others } = told
    return {
      builds: windows.flatMap(({ build }) => (build === undefined ? [] : [build])),
      every: windows.some(({ build }) => build === undefined),
      from: 'its registry',
      isForWindows: windows.length > 0 && others.length === 0,
    }
  }
  if (image === hostProcessImage) return { ...unknown, every: true, from: 'the tables of winnode' }
  const parsed = parseImage(image)
  if (!parsed) return unknown
  const { registry, repository, tag = '' } = parsed
  const sandbox = findSandboxRepository(registry, repository)
  const row = sandbox && findSandboxTag(sandbox, tag)
  const builds =
    row?.builds ??
    (`${registry}/${repository}` === smokeRepository ? buildsOfSmokeTag(tag) : undefined)
  if (builds) return { ...unknown, builds, from: 'the tables of winnode' }
  const isOfWindows =
    (registry === 'mcr.microsoft.com' && /^windows(?:\/|$)/.test(repository)) ||
    windowsWord.test(tag)
  const build = buildOfTag(tag, isOfWindows)
  if (build === undefined) return { ...unknown, isForWindows: isOfWindows }
  return { builds: [build], every: false, from: 'its tag', isForWindows: true }
}

/** Names of the base images of Windows, in tags of images that are built on them. */
const windowsWord = /(?:^|[-_.])(?:windows|(?:windows)?servercore|nanoserver)(?:$|[-_.\d])/i

/** Elsewhere 1809 and 2004 can be versions of anything. */
function buildOfTag(tag: string, isOfWindows: boolean): number | undefined {
  const words = tag.toLowerCase().split(/[-_.]/)
  const [, number] = /(?:^|[^\d.])10\.0\.(\d{5})(?:$|[^\d])/.exec(tag) ?? []
  return windowsReleases.find(({ id, build, imageTag }) => {
    const year = id.replace(/^ws/, '')
    const names = [`ltsc${year}`, ...(isOfWindows ? [imageTag ?? '', year] : [])]
    return number === String(build) || words.some((word) => names.includes(word))
  })?.build
}
