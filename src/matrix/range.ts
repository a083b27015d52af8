// A range of versions, such as `>=1.31 <1.33.2 || >=1.34`: which versions are in it.
//
// A release candidate counts as the minor it leads to: 1.31.0-rc.1 is in `>=1.31` and not in
// `<1.31`. That holds for partial bounds only, which stand for their very first candidate; it is
// false for `>=1.31.0`. So a bound at the start of a minor is written without its patch, and a
// test refuses `.0` there.
import { compare, readSemver, type Semver } from './semver.ts'

export type Range = (version: Semver) => boolean

/** `undefined` for what is no range. */
export function readRange(text: string): Range | undefined {
  const parts = text.split('||').map(readAll)
  const known = parts.filter((part) => part !== undefined)
  return known.length === parts.length
    ? (version) => known.some((part) => part(version))
    : undefined
}

/** Bounds with spaces between them: all of them hold. */
function readAll(text: string): Range | undefined {
  const words = text.trim().split(/\s+/)
  const bounds = words.map((word) => (word === '*' ? everything : readBound(word)))
  const known = bounds.filter((bound) => bound !== undefined)
  return known.length === bounds.length
    ? (version) => known.every((one) => one(version))
    : undefined
}

const everything: Range = () => true

const written = /^(>=|<=|>|<)?(v?\d+(?:\.\d+)?)$/

function readBound(word: string): Range | undefined {
  const found = written.exec(word)
  return found ? ofLine(found[1], found[2] ?? '') : ofVersion(word)
}

/** `1.31` alone is that line; `>1.31` begins with the next one. */
function ofLine(operator: string | undefined, line: string): Range {
  const first = firstOf(line, 0)
  const next = firstOf(line, 1)
  const from = operator === '>' ? next : first
  const to = operator === '<' ? first : next
  const isFrom: Range = (version) => compare(version, from) >= 0
  const isBelow: Range = (version) => compare(version, to) < 0
  if (operator?.startsWith('>')) return isFrom
  if (operator?.startsWith('<')) return isBelow
  return (version) => isFrom(version) && isBelow(version)
}

/** The first candidate of a line, or of one `further`. */
function firstOf(line: string, further: number): Semver {
  const [major = 0, minor] = line.replace('v', '').split('.').map(Number)
  return minor === undefined
    ? { major: major + further, minor: 0, patch: 0, prerelease: [0] }
    : { major, minor: minor + further, patch: 0, prerelease: [0] }
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '>=': (order) => order >= 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '<': (order) => order < 0,
  '': (order) => order === 0,
}

function ofVersion(word: string): Range | undefined {
  const [, operator = '', text = ''] = /^([<>]=?)?(.*)$/.exec(word) ?? []
  const bound = readSemver(text)
  const holds = comparisons[operator]
  return bound && holds ? (version) => holds(compare(version, bound)) : undefined
}
