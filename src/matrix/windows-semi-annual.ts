// The semi-annual releases of Windows Server: all out of servicing, none fit for a node.
import type { WindowsRelease } from '../model/rows.ts'

interface Retired {
  readonly id: string
  readonly version: string
  readonly build: number
  readonly released: string
  readonly ended: string
  readonly why: string
}

const retired: readonly Retired[] = [
  {
    id: 'ws1709',
    version: '1709',
    build: 16299,
    released: '2017-10-17',
    ended: '2019-04-09',
    why: 'no Kubernetes in the tables ran on it',
  },
  {
    id: 'ws1803',
    version: '1803',
    build: 17134,
    released: '2018-04-30',
    ended: '2019-11-12',
    why: 'no Kubernetes in the tables ran on it',
  },
  {
    id: 'ws1809sac',
    version: '1809',
    build: 17763,
    released: '2018-11-13',
    ended: '2020-11-10',
    why: 'its servicing has ended; Windows Server 2019 has the same build',
  },
  {
    id: 'ws1903',
    version: '1903',
    build: 18362,
    released: '2019-05-21',
    ended: '2020-12-08',
    why: 'sandbox images have no content for it since pause 3.7',
  },
  {
    id: 'ws1909',
    version: '1909',
    build: 18363,
    released: '2019-11-12',
    ended: '2021-05-11',
    why: 'sandbox images have no content for it since pause 3.7',
  },
  {
    id: 'ws2004',
    version: '2004',
    build: 19041,
    released: '2020-05-27',
    ended: '2021-12-14',
    why: 'sandbox images have no content for it since pause 3.7',
  },
  {
    id: 'ws20h2',
    version: '20H2',
    build: 19042,
    released: '2020-10-20',
    ended: '2022-08-09',
    why: 'sandbox images have no content for it since pause 3.9',
  },
]

export const semiAnnualReleases: readonly WindowsRelease[] = retired.map((row) => ({
  id: row.id,
  name: `Windows Server, version ${row.version}`,
  channel: 'SAC',
  build: row.build,
  released: row.released,
  mainstreamEnd: row.ended,
  extendedEnd: row.ended,
  kubernetes: [{ range: '*', status: 'unsupported', why: row.why }],
  knownBadRevisions: [],
  see: 'https://endoflife.date/windows-server',
  checked: '2026-11-20',
}))
