// The semi-annual releases of Windows Server: all out of servicing, none fit for a node.
import type { WindowsId, WindowsRelease } from '../model/rows.ts'

function retired(
  id: WindowsId,
  version: string,
  build: number,
  [released, ended]: readonly [string, string],
  why: string,
): WindowsRelease {
  return {
    id,
    name: `Windows Server, version ${version}`,
    channel: 'SAC',
    build,
    released,
    mainstreamEnd: ended,
    extendedEnd: ended,
    kubernetes: [{ range: '*', status: 'unsupported', why }],
    knownBadRevisions: [],
    see: 'https://endoflife.date/windows-server',
    checked: '2026-11-20',
  }
}

export const semiAnnualReleases = {
  ws1709: retired(
    'ws1709',
    '1709',
    16299,
    ['2017-10-17', '2019-04-09'],
    'no Kubernetes in the tables ran on it',
  ),
  ws1803: retired(
    'ws1803',
    '1803',
    17134,
    ['2018-04-30', '2019-11-12'],
    'no Kubernetes in the tables ran on it',
  ),
  ws1809sac: retired(
    'ws1809sac',
    '1809',
    17763,
    ['2018-11-13', '2020-11-10'],
    'its servicing has ended; Windows Server 2019 has the same build',
  ),
  ws1903: retired(
    'ws1903',
    '1903',
    18362,
    ['2019-05-21', '2020-12-08'],
    'sandbox images have no content for it since pause 3.7',
  ),
  ws1909: retired(
    'ws1909',
    '1909',
    18363,
    ['2019-11-12', '2021-05-11'],
    'sandbox images have no content for it since pause 3.7',
  ),
  ws2004: retired(
    'ws2004',
    '2004',
    19041,
    ['2020-05-27', '2021-12-14'],
    'sandbox images have no content for it since pause 3.7',
  ),
  ws20h2: retired(
    'ws20h2',
    '20H2',
    19042,
    ['2020-10-20', '2022-08-09'],
    'sandbox images have no content for it since pause 3.9',
  ),
} as const satisfies Readonly<Partial<Record<WindowsId, WindowsRelease>>>
