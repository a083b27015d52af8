// Windows Server releases: one row each, what Kubernetes says of it, and when Microsoft ends it.
import { windowsIds, type WindowsId, type WindowsRelease } from '../model/rows.ts'
import { inRange } from './version.ts'
import { semiAnnualReleases } from './windows-semi-annual.ts'

const checked = '2026-11-20'

const oldest: WindowsRelease = {
  id: 'ws2016',
  name: 'Windows Server 2016',
  channel: 'LTSC',
  build: 14393,
  released: '2016-10-15',
  mainstreamEnd: '2022-01-11',
  extendedEnd: '2027-01-12',
  kubernetes: [
    { range: '*', status: 'unsupported', why: 'Kubernetes never ran nodes on it after 1.14' },
  ],
  imageTag: 'ltsc2016',
  knownBadRevisions: [],
  see: 'https://learn.microsoft.com/en-us/lifecycle/products/windows-server-2016',
  checked,
}

const longTermReleases = {
  ws2019: {
    id: 'ws2019',
    name: 'Windows Server 2019',
    channel: 'LTSC',
    build: 17763,
    released: '2018-11-13',
    mainstreamEnd: '2024-01-09',
    extendedEnd: '2029-01-09',
    kubernetes: [
      { range: '<1.35', status: 'supported' },
      {
        range: '>=1.35',
        status: 'unlisted',
        why: 'the documented list lost it, and its upstream tests are being removed',
      },
    ],
    // nanoserver and servercore both publish 1809; ltsc2019 exists for servercore only.
    imageTag: '1809',
    overlay: {
      revision: 379,
      update: 'KB4489899 of March 2019',
      see: 'https://support.microsoft.com/help/4489899',
    },
    dsr: {
      revision: 1432,
      update: 'the cumulative update of August 2020',
      see: 'https://github.com/microsoft/Windows-Containers/issues/19',
    },
    noHealthCheckVip: {
      why: 'kube-proxy holds port 10256 on every address, and HNS refuses the same port on the address of a load balancer (0x803b0013)',
      see: 'https://github.com/kubernetes/community/issues/8883',
    },
    knownBadRevisions: [
      {
        from: 1432,
        below: 1518,
        effect: 'pods lose services when HNS starts again',
        fix: 'KB4577668 (October 2020) or later',
        see: 'https://github.com/microsoft/Windows-Containers/issues/61',
      },
    ],
    see: 'https://learn.microsoft.com/en-us/lifecycle/products/windows-server-2019',
    checked: '2026-11-22',
  },
  ws2022: {
    id: 'ws2022',
    name: 'Windows Server 2022',
    channel: 'LTSC',
    build: 20348,
    released: '2021-08-18',
    mainstreamEnd: '2026-10-13',
    extendedEnd: '2031-10-14',
    kubernetes: [{ range: '>=1.23', status: 'supported' }],
    imageTag: 'ltsc2022',
    knownBadRevisions: [
      {
        from: 2582,
        below: 2762,
        effect: 'pods lose their network',
        fix: 'KB5044281 (October 2024) or later',
        see: 'https://github.com/microsoft/Windows-Containers/issues/516',
        mode: 'overlay',
      },
    ],
    see: 'https://learn.microsoft.com/en-us/lifecycle/products/windows-server-2022',
    checked,
  },
  ws23h2: {
    id: 'ws23h2',
    name: 'Windows Server, version 23H2',
    channel: 'AC',
    build: 25398,
    released: '2023-10-24',
    mainstreamEnd: '2026-05-12',
    extendedEnd: '2026-05-12',
    kubernetes: [
      {
        range: '*',
        status: 'unsupported',
        why: 'it was never listed, and its servicing has ended',
      },
    ],
    knownBadRevisions: [],
    see: 'https://endoflife.date/windows-server',
    checked,
  },
  ws2025: {
    id: 'ws2025',
    name: 'Windows Server 2025',
    channel: 'LTSC',
    build: 26100,
    released: '2024-11-01',
    // Microsoft's container page says a month less for both.
    mainstreamEnd: '2029-11-13',
    extendedEnd: '2034-11-14',
    kubernetes: [
      { range: '>=1.35', status: 'supported' },
      {
        range: '>=1.31 <1.35',
        status: 'unlisted',
        why: 'upstream tests it since January 2025, but the documented list lacks it',
      },
      {
        range: '<1.31',
        status: 'unsupported',
        why: 'nobody tested it, and older kubelets call wmic, which it no longer installs',
      },
    ],
    imageTag: 'ltsc2025',
    overlay: {
      revision: 6899,
      update: 'KB5066835 of October 2025',
      see: 'https://github.com/microsoft/Windows-Containers/issues/625',
    },
    knownBadRevisions: [],
    see: 'https://learn.microsoft.com/en-us/lifecycle/products/windows-server-2025',
    checked,
  },
} as const satisfies Readonly<Partial<Record<WindowsId, WindowsRelease>>>

/** An id without its row does not compile. */
const releases: Readonly<Record<WindowsId, WindowsRelease>> = {
  ws2016: oldest,
  ...longTermReleases,
  ...semiAnnualReleases,
}

/** Oldest build first. */
export const windowsReleases: readonly WindowsRelease[] = windowsIds.map((id) => releases[id])

export function windowsOf(id: WindowsId): WindowsRelease {
  return releases[id]
}

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
