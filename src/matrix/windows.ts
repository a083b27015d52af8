// Windows Server releases: one row each, Kubernetes support, and the ends of Microsoft support.
import tables from '#tables'
import { windowsIds, type WindowsId } from '../model/choices.ts'
import type { AddedFacts, WindowsRelease } from '../model/tables.ts'
import { inRange } from './version.ts'

export function windowsOf(id: WindowsId, added?: AddedFacts): WindowsRelease {
  return { id, ...(added?.windows?.[id] ?? tables.windows.releases[id]) }
}

/** Oldest build first. */
export function windowsWith(added: AddedFacts | undefined): readonly WindowsRelease[] {
  return windowsIds.map((id) => windowsOf(id, added))
}

export const windowsReleases = windowsWith(undefined)

/** Defects of a revision; `sure` if they occur with this HNS network mode. */
export function badRevisions(
  release: WindowsRelease,
  { mode, external }: { readonly mode: string; readonly external: boolean },
): readonly (WindowsRelease['knownBadRevisions'][number] & { readonly sure: boolean })[] {
  return release.knownBadRevisions.flatMap((bad) => {
    const matches = bad.mode === undefined || bad.mode === mode
    return bad.reported && !matches && !external ? [] : { ...bad, sure: matches && !bad.reported }
  })
}

/** As the kubelet labels its node: https://kubernetes.io/docs/reference/labels-annotations-taints/ */
export const windowsVersion = ({ build }: Pick<WindowsRelease, 'build'>) => `10.0.${build}`

/** In names of objects, as in https://kubernetes.io/docs/concepts/windows/user-guide/: windows-2022. */
export const windowsName = (id: WindowsId) => `windows-${id.replace(/^ws/, '')}`

/**
 * Its names in tags of Microsoft's images and in version numbers: ltsc2022, 20348. A release of another channel can have the
 * build of an LTSC release.
 */
export function otherNames({ id, build, channel }: WindowsRelease): readonly string[] {
  return channel === 'LTSC' ? [id.replace('ws', 'ltsc'), String(build)] : []
}

/** All names that a person may type. */
export const typedNames = (release: WindowsRelease): readonly string[] => [
  release.id,
  release.name,
  ...otherNames(release),
]

/** Support of the release in that Kubernetes version; `undefined` if unknown. */
export function windowsStatus(
  release: WindowsRelease,
  kubernetes: string,
): WindowsRelease['kubernetes'][number] | undefined {
  return release.kubernetes.find((row) => inRange(kubernetes, row.range))
}

/** Whether any known Kubernetes version runs on it. */
export function runsKubernetes({ kubernetes }: WindowsRelease): boolean {
  return kubernetes.some(({ status }) => status !== 'unsupported')
}

/**
 * In MiB: the memory limit with 5-level paging, and the largest NTFS volume.
 * https://learn.microsoft.com/en-us/windows-server/get-started/editions-comparison
 * https://learn.microsoft.com/en-us/windows-server/storage/file-server/ntfs-overview
 */
export const largestMachine = { memory: 2 ** 32, disk: 2 ** 33 }
