// Diagnose: what is wrong with a node, from what it wrote of itself.
import type { JsonObject } from '../model/json.ts'
import { withoutSecrets } from '../model/secret.ts'
import { diagnoses } from './diagnoses/index.ts'
import type { Confidence, Diagnosis, Sign } from '../report/diagnosis.ts'
import { type Part, parts, type Report, reportOf, works } from '../report/report.ts'
import { unread } from './around.ts'
import { any, check, health } from '../report/signs.ts'

export interface Diagnosed {
  readonly diagnosis: Diagnosis
  readonly evidence: readonly string[]
  /** Of this evidence. */
  readonly confidence: Confidence
}

export interface Answer {
  readonly found: readonly Diagnosed[]
  /** What is not well, where no cause of it is known, and what nobody could read: the cause may lie there. */
  readonly unexplained: readonly string[]
  /** Parts that are not there, and how many diagnoses could not be looked for. */
  readonly missing: readonly Part[]
  readonly blind: number
}

/** Whether there is nothing in it to look at. */
export function isBare(document: JsonObject): boolean {
  return reportOf(document).has.size === 0
}

const unwell = any(health(/^/, /^/), check(/^/))

/** The surest first, and of those what breaks first. What follows from another one is left to that one. */
export function diagnose(document: JsonObject): Answer {
  const report = reportOf(document)
  const all = diagnoses
    .map((diagnosis) => ({ diagnosis, evidence: look(diagnosis.sign, report) }))
    .filter(({ evidence }) => evidence.length > 0)
    .map((one) => ({ ...one, confidence: confidenceOf(one.diagnosis, report) }))
  const ids = new Set(all.map(({ diagnosis }) => diagnosis.id))
  const found = all.filter(({ diagnosis }) => !diagnosis.follows?.some((id) => ids.has(id)))
  const unexplained = found.length > 0 ? [] : look(unwell, report)
  return {
    found: found.toSorted((a, b) => rank(a) - rank(b)),
    unexplained: unexplained.length > 0 ? [...unexplained, ...look(unread, report)] : [],
    missing: parts.filter((part) => !report.has.has(part)),
    blind: diagnoses.filter(({ sign }) => isBlind(sign, report)).length,
  }
}

/** The node hides its secrets; what somebody wrote into its report may have others. */
function look(sign: Sign, report: Report): readonly string[] {
  return sign.look(report).map((line) => withoutSecrets(line))
}

function isBlind({ needs, together }: Sign, { has }: Report): boolean {
  return together ? !needs.every((part) => has.has(part)) : !needs.some((part) => has.has(part))
}

const confidences = ['sure', 'likely', 'possible'] as const

/** Words of a log, and events, may be of days ago: what the node says of itself is of now. */
function confidenceOf({ sign, confidence, pods }: Diagnosis, report: Report): Confidence {
  const now = { ...report.document, logs: null, events: null }
  if (sign.look({ ...report, document: now }).length > 0) return confidence
  if (!pods && works(report)) return 'possible'
  const isEnded = report.has.has('health') && !pods
  return confidence === 'sure' && !isEnded ? 'likely' : confidence
}

/** Errors before warnings, what is sure before what is likely. */
export function rank({ diagnosis: { severity }, confidence }: Diagnosed): number {
  return (severity === 'error' ? 0 : confidences.length) + confidences.indexOf(confidence)
}
