// containerd lines: one row each, with the newest patch that any source names.
import tables from '#tables'
import type { ContainerdLine } from '../model/tables.ts'
import { lastRow, nearestRow, type Nearest } from './nearest.ts'

/** Oldest first. */
export const containerdLines = tables.containerd.lines

/** The newest long-term support line. */
export const longTermLine = lastRow(containerdLines, ({ status }) => status === 'lts')

/** The line of a version such as 2.3.6 or 2.3; the nearest older one if it is unknown. */
export function containerdOf(version: string): Nearest<ContainerdLine> {
  return nearestRow(containerdLines, (row) => row.line, version)
}
