// Windows Server releases: one row each, what Kubernetes says of it, and when Microsoft ends it.
import tables from '#tables'
import { windowsIds, type WindowsId, type WindowsRelease } from '../model/tables.ts'
import { inRange } from './version.ts'

export function windowsOf(id: WindowsId): WindowsRelease {
  return { id, ...tables.windows.releases[id] }
}

/** Oldest build first. */
export const windowsReleases: readonly WindowsRelease[] = windowsIds.map(windowsOf)

/** What is wrong with a revision; `sure` where it shows with this mode of the HNS network. */
export function badRevisions(
  release: WindowsRelease,
  network: string,
): readonly (WindowsRelease['knownBadRevisions'][number] & { readonly sure: boolean })[] {
  return release.knownBadRevisions.map((bad) => ({
    ...bad,
    sure: bad.mode === undefined || bad.mode === network,
  }))
}

/** What Kubernetes of that version says of the release; `undefined` where it says nothing. */
export function windowsStatus(
  release: WindowsRelease,
  kubernetes: string,
): WindowsRelease['kubernetes'][number] | undefined {
  return release.kubernetes.find((row) => inRange(kubernetes, row.range))
}

/**
 * In MiB: the memory limit with 5-level paging, and the largest NTFS volume.
 * https://learn.microsoft.com/en-us/windows-server/get-started/editions-comparison
 * https://learn.microsoft.com/en-us/windows-server/storage/file-server/ntfs-overview
 */
export const largestMachine = { memory: 2 ** 32, disk: 2 ** 33 }
