// The Windows builds that an image supports, from its tag, from tables, or from its index in the registry.
import { parseImage } from '../go/image-reference.ts'
import { findSandboxRepository, findSandboxTag } from './sandbox-images.ts'
import { buildsOfSmokeTag, smokeRepository } from './smoke-images.ts'
import { windowsReleases } from './windows.ts'
import { hostProcessImage } from './host-process-image.ts'
import type { WindowsRelease } from '../model/tables.ts'

/** Platforms of an image index; the build is missing where the index has no `os.version`. */
export interface ImagePlatforms {
  readonly windows: readonly { readonly build: number | undefined }[]
  /** Other operating systems. */
  readonly otherSystems: readonly string[]
}

export interface ImageBuilds {
  /** `undefined` if unknown; empty if it has none for Windows. */
  readonly builds: readonly number[] | undefined
  /** The image runs on every build. */
  readonly runsOnEvery: boolean
  /** Source of the builds. */
  readonly from: 'its tag' | 'the tables of winnode' | 'its registry' | undefined
  /** Whether its name or its platforms are for Windows. */
  readonly isForWindows: boolean
}

const unknown: ImageBuilds = {
  builds: undefined,
  runsOnEvery: false,
  from: undefined,
  isForWindows: false,
}

export function buildsOf(
  image: string,
  platforms: ReadonlyMap<string, ImagePlatforms>,
): ImageBuilds {
  const listed = platforms.get(image)
  if (listed) {
    const { windows, otherSystems } = listed
    const builds = windows.flatMap(({ build }) => build ?? [])
    return {
      // containerd pulls an entry without a version on every build, whatever its files are of.
      builds: builds.length === windows.length ? builds : undefined,
      runsOnEvery: false,
      from: 'its registry',
      isForWindows: windows.length > 0 && otherSystems.length === 0,
    }
  }
  if (image === hostProcessImage)
    return { ...unknown, runsOnEvery: true, from: 'the tables of winnode' }
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
    baseImageNames.test(tag)
  const build = buildFromTag(tag, isOfWindows)
  if (build === undefined) return { ...unknown, isForWindows: isOfWindows }
  return { builds: [build], runsOnEvery: false, from: 'its tag', isForWindows: true }
}

/** Names of Windows base images, which occur in tags of images built on them. */
const baseImageNames = /(?:^|[-_.])(?:windows|(?:windows)?servercore|nanoserver)(?:$|[-_.\d])/i

/**
 * `ltsc2022` decides before a number alone, which can be the version of the program: `2019-windowsservercore-ltsc2022`.
 * Without the name of a base image, 1809 and 2004 can be any version, too.
 */
function buildFromTag(tag: string, isOfWindows: boolean): number | undefined {
  const words = tag.toLowerCase().split(/[-_.]/)
  const [, number] = /(?:^|[^\d.])10\.0\.(\d{5})(?:$|[^\d])/.exec(tag) ?? []
  const buildOf = (names: (release: WindowsRelease) => readonly (string | undefined)[]) => {
    const named = windowsReleases.filter((one) => words.some((word) => names(one).includes(word)))
    const [build, another] = new Set(named.map((one) => one.build))
    return another === undefined ? build : undefined
  }
  const yearOf = ({ id }: WindowsRelease) => id.replace(/^ws/, '')
  return (
    windowsReleases.find(({ build }) => number === String(build))?.build ??
    buildOf((one) => [`ltsc${yearOf(one)}`]) ??
    (isOfWindows ? buildOf((one) => [one.imageTag, yearOf(one)]) : undefined)
  )
}
