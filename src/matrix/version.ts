// Versions and ranges: the only file that knows semver.
//
// A release candidate counts as the minor it leads to: 1.31.0-rc.1 is in `>=1.31` and not in
// `<1.31`. That holds for partial bounds only, because semver sees them as 1.31.0-0 when
// prereleases are included; it is false for `>=1.31.0`. So a bound at the start of a minor is
// written without its patch, and a test refuses `.0` there.
import Range from 'semver/classes/range.js'
import compare from 'semver/functions/compare.js'
import parse from 'semver/functions/parse.js'

export interface Version {
  /** Without a leading v and without build metadata: 1.37.0-rc.1. */
  readonly text: string
  readonly major: number
  readonly minor: number
  readonly patch: number
  readonly prerelease: boolean
}

/** A release candidate counts as the minor it leads to, as above. */
const options = { includePrerelease: true, loose: false } as const

const partial = /^v?(\d+)\.(\d+)$/

/** Rules ask the same few questions thousands of times for each profile. */
function memo<Answer>(compute: (text: string) => Answer): (text: string) => Answer {
  const known = new Map<string, Answer>()
  return (text) => {
    const answer = known.get(text) ?? compute(text)
    known.set(text, answer)
    return answer
  }
}

const semverOf = memo((text) => parse(text.replace(partial, '$1.$2.0'), options))

/** Reads 1.36.5, v1.36.5, 1.37.0-rc.1 and, as its first patch, 1.36. */
export function parseVersion(text: string): Version | undefined {
  const semver = semverOf(text)
  if (!semver) return undefined
  const { version, major, minor, patch, prerelease } = semver
  return { text: version, major, minor, patch, prerelease: prerelease.length > 0 }
}

/** Whether a text names a line, such as 1.36, and leaves the patch open. */
export function isPartial(text: string): boolean {
  return partial.test(text)
}

/** False for a malformed version or range. */
export function inRange(version: string, range: string): boolean {
  return testOf(range)(version)
}

/** The answers too, as semver parses the bounds of a range again for each version. */
const testOf = memo((text) => {
  const range = readRange(text)
  return memo((version) => {
    const semver = semverOf(version)
    return semver !== null && range?.test(semver) === true
  })
})

export function isVersionRange(text: string): boolean {
  return readRange(text) !== null
}

function readRange(text: string): Range | null {
  try {
    return new Range(text, options)
  } catch {
    return null
  }
}

/** Negative where `a` is older; invalid versions come first. */
export function compareVersions(a: string, b: string): number {
  const left = semverOf(a)
  const right = semverOf(b)
  if (left && right) return compare(left, right, options)
  return Number(left !== null) - Number(right !== null)
}

export function isNewer(a: string, b: string): boolean {
  return compareVersions(a, b) > 0
}

/** 1.36.5 belongs to 1.36; so does 1.36.0-rc.1. */
export function minorOf(version: string): string | undefined {
  const parsed = parseVersion(version)
  return parsed && `${parsed.major}.${parsed.minor}`
}

/** Minors from `b` up to `a`: 3 for 1.37.1 and 1.34.9; `undefined` across majors. */
export function minorDistance(a: string, b: string): number | undefined {
  const left = parseVersion(a)
  const right = parseVersion(b)
  if (left === undefined || left.major !== right?.major) return undefined
  return left.minor - right.minor
}
