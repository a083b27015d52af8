// One error, warning or note about a profile.
import type { Path } from './path.ts'

export const severities = ['error', 'warning', 'info'] as const
export type Severity = (typeof severities)[number]

/**
 * The kind of harm, the most urgent first: the node, its pods or its network stop; access is wider than intended;
 * something works worse or differently than configured; support ends, or the combination is untested.
 */
const harms = ['breaks', 'exposes', 'limits', 'ages'] as const
export type Harm = (typeof harms)[number]

/** A location in a file; line and column count from 1. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
  /** How many characters the caret underlines; 1 where unknown. */
  readonly length?: number
  /** The text of that line, for the excerpt. */
  readonly excerpt?: string
}

/** Findings with the same remedy or subject. */
export interface Group {
  /** Kebab-case, such as `exposure`. */
  readonly id: string
  /** What the group is about: `containerd 2.1.9 -> 2.3.7 resolves`. */
  readonly title: string
  /** The finding in one or two nouns, singular: `CVE`. If absent, the message is shown. */
  readonly countedAs?: string
  /** The remedy of all findings in the group; absent if each has its own. */
  readonly remedy?: string
}

/** A CVE or another advisory about a program on the node. */
export interface FoundAdvisory {
  readonly id: string
  readonly component: string
  /** The affected version of the profile. */
  readonly version: string
  readonly severity: 'critical' | 'high' | 'medium' | 'low' | 'unrated'
  /** Whether it applies to this node: `conditional` if it depends on `condition`, `unverified` without a source. */
  readonly applies: 'yes' | 'conditional' | 'unverified'
  readonly condition?: string
  /** Empty if no version has a fix. */
  readonly fixedIn: readonly string[]
}

export interface Finding {
  /** Kebab-case and stable; the wording of the message may change. */
  readonly id: string
  readonly severity: Severity
  /** `breaks` if absent. */
  readonly harm?: Harm
  readonly path: Path
  /** Subject, state, expected value; lower case, without a full stop. */
  readonly message: string
  /** The fix, as an imperative. */
  readonly remedy?: string
  /** URL of the source. */
  readonly see?: string
  /** Findings with the same group title are shown as one. */
  readonly group?: Group
  readonly advisory?: FoundAdvisory
  /** Required fields that a profile built on this one must still set. */
  readonly asks?: readonly string[]
  /** The file of facts whose row is the rule of the finding. */
  readonly factsFile?: string
  /** The finding is about the key at `path`, not about its value. */
  readonly at?: 'key' | 'value'
  /** Added by commands: where the path is written, or would be added. */
  readonly place?: Place
  /** Added by commands if `place` is not the value's own location: `not set`, or the layer that set the value. */
  readonly valueFrom?: string
}

/** Why a finding is accepted, and until when. */
export interface Ignore {
  readonly reason: string
  readonly until?: string | undefined
}

/** A finding that the profile ignores, with the reason that it gives. */
export interface Ignored {
  readonly finding: Finding
  readonly reason: string
}

/** The same for findings of one rule about one field and one fact, even if their messages differ. */
export function findingKey({ id, path, see }: Finding): string {
  return JSON.stringify([id, path, see])
}

/** Errors first, for programs. */
export function compareFindings(a: Finding, b: Finding): number {
  return bySeverity(a, b) || compareEqual(a, b)
}

/** Errors last, next to the prompt. */
export function worstLast(a: Finding, b: Finding): number {
  return bySeverity(b, a) || compareEqual(a, b)
}

/** The more severe first; 0 for the same severity and harm. */
export function bySeverityAndHarm(a: Finding, b: Finding): number {
  return bySeverity(a, b) || byHarm(a, b)
}

const bySeverity = (a: Finding, b: Finding) =>
  severities.indexOf(a.severity) - severities.indexOf(b.severity)

const byHarm = (a: Finding, b: Finding) =>
  harms.indexOf(a.harm ?? 'breaks') - harms.indexOf(b.harm ?? 'breaks')

/** Within a severity: by harm, then by location, then by id. */
function compareEqual(a: Finding, b: Finding): number {
  return (
    byHarm(a, b) ||
    compareText(a.place?.file ?? '', b.place?.file ?? '') ||
    (a.place?.line ?? 0) - (b.place?.line ?? 0) ||
    (a.place?.column ?? 0) - (b.place?.column ?? 0) ||
    compareText(a.id, b.id)
  )
}

/** By code unit: the same order in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** `strict`: a warning counts as an error. */
export function errorsIn(findings: readonly Finding[], strict = false): readonly Finding[] {
  return findings.filter(
    ({ severity }) => severity === 'error' || (strict && severity === 'warning'),
  )
}

/** Without those about a field that only the user can supply. */
export function errorsWithoutAsks(findings: readonly Finding[]): readonly Finding[] {
  return errorsIn(findings).filter(({ asks }) => !asks)
}

/** Required fields that are not set, each once. */
export function askedFields(findings: readonly Finding[]): readonly string[] {
  return [...new Set(findings.flatMap(({ asks = [] }) => asks))]
}

export function hasErrors(findings: readonly Finding[], strict = false): boolean {
  return errorsIn(findings, strict).length > 0
}
