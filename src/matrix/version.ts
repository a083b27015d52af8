// Versions as https://semver.org has them: read, compared, and looked for in a range.
import { readRange, type Range } from './range.ts'
import { compare, readSemver, type Semver } from './semver.ts'

export interface Version {
  /** Without a leading v and without build metadata: 1.37.0-rc.1. */
  readonly text: string
  readonly major: number
  readonly minor: number
  readonly patch: number
  readonly prerelease: boolean
}

const partial = /^v?(\d+)\.(\d+)$/

/** No text is read twice. */
const read = new Map<string, Semver | undefined>()

function semverOf(text: string): Semver | undefined {
  const known = read.get(text)
  if (known !== undefined || read.has(text)) return known
  const fresh = readSemver(text.replace(partial, '$1.$2.0'))
  read.set(text, fresh)
  return fresh
}

/** Reads 1.36.5, v1.36.5, 1.37.0-rc.1 and, as its first patch, 1.36. */
export function parseVersion(text: string): Version | undefined {
  const semver = semverOf(text)
  if (!semver) return undefined
  const { major, minor, patch, prerelease } = semver
  const rest = prerelease.length > 0 ? `-${prerelease.join('.')}` : ''
  const written = `${major}.${minor}.${patch}${rest}`
  return { text: written, major, minor, patch, prerelease: rest !== '' }
}

/** Whether a text names a line, such as 1.36, and leaves the patch open. */
export function isPartial(text: string): boolean {
  return partial.test(text)
}

interface Asked {
  /** None where the text is no range: nothing is in it. */
  readonly range: Range | undefined
  readonly answers: Map<string, boolean>
}

/** Rules ask a few thousand times for each profile, mostly the same; the wizard many profiles. */
const asked = new Map<string, Asked>()

/** False for what is no version. */
export function inRange(version: string, range: string): boolean {
  const known: Asked = asked.get(range) ?? { range: readRange(range), answers: new Map() }
  asked.set(range, known)
  const before = known.answers.get(version)
  if (before !== undefined) return before
  const semver = semverOf(version)
  const answer = semver !== undefined && known.range?.(semver) === true
  known.answers.set(version, answer)
  return answer
}

/** Negative where `a` is older; what is no version comes before every version. */
export function compareVersions(a: string, b: string): number {
  const left = semverOf(a)
  const right = semverOf(b)
  if (left && right) return compare(left, right)
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
  const parsed = semverOf(version)
  return parsed && `${parsed.major}.${parsed.minor}`
}

/** Minors from `b` up to `a`: 3 for 1.37.1 and 1.34.9; `undefined` across majors. */
export function minorDistance(a: string, b: string): number | undefined {
  const left = semverOf(a)
  const right = semverOf(b)
  if (left === undefined || left.major !== right?.major) return undefined
  return left.minor - right.minor
}
