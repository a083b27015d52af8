// containerd lines: one row each, with the newest patch that any source names.
import tables from '#tables'
import type { AddedFacts, ContainerdLine } from '../model/tables.ts'
import { orderedWithAdded } from './added-rows.ts'
import { lastRow, nearestRow, type Nearest } from './nearest.ts'

/** Oldest first. */
export const containerdLines = tables.containerd.lines

/** The newest long-term support line. */
export const longTermLine = lastRow(containerdLines, ({ status }) => status === 'lts')

/** The line of a version such as 2.3.6 or 2.3; the nearest older one if it is unknown. */
export function containerdOf(version: string, added?: AddedFacts): Nearest<ContainerdLine> {
  return nearestRow(linesWith(added), (row) => row.line, version)
}

/**
 * The newest patches of the lines to which a direct upgrade is supported: the next line, and from an LTS line the next
 * one. https://github.com/containerd/containerd/blob/main/RELEASES.md#upgrade-path
 */
export function directUpgrades(version: string, added?: AddedFacts): readonly string[] {
  const lines = linesWith(added)
  const { row } = containerdOf(version, added)
  return lines
    .filter((line, at) => lines[at - 1] === row || line.afterLts === row.line)
    .map(({ newestPatch }) => newestPatch)
}

export function linesWith(added: AddedFacts | undefined) {
  return orderedWithAdded(containerdLines, added?.containerd, ({ line }) => line)
}
