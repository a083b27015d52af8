// Versions and ranges: the only file that knows semver.
//
// A release candidate counts as the minor it leads to: 1.31.0-rc.1 is in `>=1.31` and not in
// `<1.31`. That holds for partial bounds only, because semver sees them as 1.31.0-0 when
// prereleases are included; it is false for `>=1.31.0`. So a bound at the start of a minor is
// written without its patch, and a test refuses `.0` there.
import compare from 'semver/functions/compare.js'
import parse from 'semver/functions/parse.js'
import satisfies from 'semver/functions/satisfies.js'

const options = { includePrerelease: true } as const

export interface Version {
  /** Without a leading v and without build metadata: 1.37.0-rc.1. */
  readonly text: string
  readonly major: number
  readonly minor: number
  readonly patch: number
  readonly prerelease: boolean
}

const partial = /^v?(\d+)\.(\d+)$/

const parsedTexts = new Map<string, Version | undefined>()

/** Reads 1.36.5, v1.36.5, 1.37.0-rc.1 and, as its first patch, 1.36. */
export function parseVersion(text: string): Version | undefined {
  if (!parsedTexts.has(text)) parsedTexts.set(text, readVersion(text))
  return parsedTexts.get(text)
}

function readVersion(text: string): Version | undefined {
  const parsed = parse(text.replace(partial, '$1.$2.0'))
  if (!parsed) return undefined
  return {
    text: parsed.version,
    major: parsed.major,
    minor: parsed.minor,
    patch: parsed.patch,
    prerelease: parsed.prerelease.length > 0,
  }
}

/** Whether a text names a line, such as 1.36, and leaves the patch open. */
export function isPartial(text: string): boolean {
  return partial.test(text)
}

/** Answers by question: rules ask a few thousand times for each profile, mostly the same. */
const answers = new Map<string, boolean>()

/** False for what is no version. */
export function inRange(version: string, range: string): boolean {
  const question = `${version} in ${range}`
  const known = answers.get(question)
  if (known !== undefined) return known
  const parsed = parseVersion(version)
  const answer = parsed !== undefined && satisfies(parsed.text, range, options)
  answers.set(question, answer)
  return answer
}

/** Negative where `a` is older; what is no version comes before every version. */
export function compareVersions(a: string, b: string): number {
  const left = parseVersion(a)
  const right = parseVersion(b)
  if (left && right) return compare(left.text, right.text)
  return Number(left !== undefined) - Number(right !== undefined)
}

export function isNewer(a: string, b: string): boolean {
  return compareVersions(a, b) > 0
}

export function newest(versions: readonly string[]): string | undefined {
  return versions.toSorted(compareVersions).at(-1)
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
