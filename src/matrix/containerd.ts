// containerd lines: one row each, with the newest patch that any source names.
import type { ContainerdLine } from '../model/rows.ts'
import { lastRow, nearestRow, type Nearest } from './nearest.ts'

const checked = '2026-11-20'
const see = 'https://github.com/containerd/containerd/blob/main/RELEASES.md'

/** Oldest first. */
export const containerdLines: readonly [ContainerdLine, ...ContainerdLine[]] = [
  {
    line: '1.4',
    released: '2020-08-17',
    endOfLife: '2022-03-03',
    status: 'end-of-life',
    newestPatch: '1.4.13',
    maxConfigVersion: 2,
    see,
    checked,
  },
  {
    line: '1.5',
    released: '2021-05-03',
    endOfLife: '2023-02-28',
    status: 'end-of-life',
    newestPatch: '1.5.18',
    maxConfigVersion: 2,
    see,
    checked,
  },
  {
    line: '1.6',
    released: '2022-02-15',
    endOfLife: '2025-08-23',
    status: 'end-of-life',
    newestPatch: '1.6.39',
    maxConfigVersion: 2,
    see,
    checked,
  },
  {
    line: '1.7',
    released: '2023-03-10',
    endOfLife: '2026-09-30',
    status: 'end-of-life',
    newestPatch: '1.7.36',
    maxConfigVersion: 2,
    see,
    checked,
    note: 'upstream names the month only; from March 2026 on it was kept for one cloud',
  },
  {
    line: '2.0',
    released: '2024-11-05',
    endOfLife: '2027-03-31',
    status: 'lts-limited',
    newestPatch: '2.0.14',
    maxConfigVersion: 3,
    see,
    checked: '2026-11-22',
    note: 'upstream names the month only; two maintainers keep it for one cloud',
  },
  {
    line: '2.1',
    released: '2025-05-07',
    endOfLife: '2026-07-03',
    status: 'end-of-life',
    newestPatch: '2.1.9',
    maxConfigVersion: 3,
    see,
    checked,
  },
  {
    line: '2.2',
    released: '2025-11-05',
    endOfLife: '2026-11-06',
    status: 'end-of-life',
    newestPatch: '2.2.9',
    maxConfigVersion: 3,
    see,
    checked,
  },
  {
    line: '2.3',
    released: '2026-04-30',
    endOfLife: '2028-04-30',
    status: 'lts',
    newestPatch: '2.3.7',
    maxConfigVersion: 4,
    see,
    checked: '2026-11-22',
  },
  {
    line: '2.4',
    released: '2026-09-16',
    endOfLife: '2027-05-16',
    status: 'active',
    newestPatch: '2.4.2',
    maxConfigVersion: 4,
    see: 'https://github.com/containerd/containerd/pull/14169',
    checked: '2026-11-22',
    note: 'its end follows the rule of eight months; its config version was read before the release',
  },
]

/** The newest one that upstream keeps for years. */
export const longTermLine = lastRow(containerdLines, ({ status }) => status === 'lts')

/** The line of a version such as 2.3.6 or 2.3; the nearest older one where the tables lack it. */
export function containerdOf(version: string): Nearest<ContainerdLine> {
  return nearestRow(containerdLines, (row) => row.line, version)
}
