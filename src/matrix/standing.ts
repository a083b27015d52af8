// How a version relates to the known lines.
import type { Patches } from '../model/program-releases.ts'
import {
  compareVersions,
  isNewer,
  isPartial,
  minorDistance,
  minorOf,
  parseVersion,
} from './version.ts'

export type Standing =
  | 'known'
  /** Of a known line, after its newest known patch. */
  | 'newer-patch'
  /** Of a line after every known one. */
  | 'newer-line'
  /** Of a line before every known one. */
  | 'older-line'
  /** Between two known lines that follow each other. */
  | 'no-line'

export function standingAmong(newest: Patches, version: string): Standing {
  const line = minorOf(version)
  const patch = newest.find((one) => minorOf(one) === line)
  if (patch !== undefined) return isNewer(version, patch) ? 'newer-patch' : 'known'
  const newer = newest.filter((one) => isNewer(version, one)).length
  if (newer === newest.length) return 'newer-line'
  return newer === 0 ? 'older-line' : 'no-line'
}

/** Whether a version belongs to a line such as 1.36. */
export function isOf(version: string, line: string): boolean {
  return minorOf(version) === line
}

export function isOfSameMinor(version: string, other: string): boolean {
  return minorOf(version) === minorOf(other)
}

/** 1.35 for 1.36.5. */
export function minorBefore(version: string): string {
  const { major = 1, minor = 0 } = parseVersion(version) ?? {}
  return `${major}.${minor - 1}`
}

/** Whether a version is of the line of the newest patch, and older. */
export function isBehind(version: string, newest: string): boolean {
  return minorOf(version) === minorOf(newest) && isNewer(newest, version)
}

export function isOfLaterMinor(version: string, other: string): boolean {
  return (minorDistance(version, other) ?? 0) > 0
}

/** The same line first, then later ones in ascending order, then earlier ones. */
export function nearestFirst(newest: readonly string[], version: string): readonly string[] {
  const own = newest.filter((one) => minorOf(one) === minorOf(version))
  const later = newest.filter((one) => !own.includes(one) && isNewer(one, version))
  const earlier = newest.filter((one) => !own.includes(one) && isNewer(version, one))
  return [...own, ...later, ...earlier.toReversed()]
}

/** The version as another one is written: 1.36 for 1.36.5 in place of 1.35, if 1.36 means it. */
export function writtenLike(before: string, version: string, newest: readonly string[]): string {
  const line = minorOf(version)
  return isPartial(before) && line !== undefined && newest.includes(version) ? line : version
}

export function oldestFirst(versions: readonly string[]): readonly string[] {
  return versions.toSorted(compareVersions)
}
