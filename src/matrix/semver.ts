// One version in its parts, and which of two comes first: https://semver.org.

export interface Semver {
  readonly major: number
  readonly minor: number
  readonly patch: number
  /** What stands behind the hyphen, between dots; digits alone are a number. */
  readonly prerelease: readonly Label[]
}

type Label = string | number

const whole =
  /^v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([\da-z.-]+))?(?:\+[\da-z-]+(?:\.[\da-z-]+)*)?$/i
const label = /^(?:0|[1-9]\d*|\d*[a-z-][\da-z-]*)$/i
const digits = /^\d+$/

/** Longer ones are no versions to node-semver either, which other tools use. */
const longest = 256

export function readSemver(text: string): Semver | undefined {
  const found = text.length > longest ? null : whole.exec(text.trim())
  if (!found) return undefined
  const [, major = '', minor = '', patch = '', rest] = found
  const numbers = [major, minor, patch].map(Number)
  const labels = rest?.split('.') ?? []
  if (!numbers.every(Number.isSafeInteger) || !labels.every((one) => label.test(one)))
    return undefined
  return {
    ...{ major: Number(major), minor: Number(minor), patch: Number(patch) },
    prerelease: labels.map((one) => (digits.test(one) ? Number(one) : one)),
  }
}

/** Negative where `a` comes first. */
export function compare(a: Semver, b: Semver): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch || compareRests(a, b)
}

/** What has none comes last: it is the release itself. */
function compareRests({ prerelease: a }: Semver, { prerelease: b }: Semver): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length
  const at = a.findIndex((one, index) => one !== b[index])
  const [left, right] = [a[at], b[at]]
  if (left === undefined || right === undefined) return a.length - b.length
  return compareLabels(left, right)
}

/** Numbers come before words. */
function compareLabels(a: Label, b: Label): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'number' || typeof b === 'number') return typeof a === 'number' ? -1 : 1
  return a < b ? -1 : 1
}
