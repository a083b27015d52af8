// Finds the problems of a node in its report.
import type { JsonObject } from '../model/json.ts'
import { redactSecrets } from '../text/secrets.ts'
import { type Part, parts, type Report, reportOf, isHealthy } from '../report/report.ts'
import { unreadParts } from './computed-signs.ts'
import { type Diagnosis, diagnoses } from './diagnoses.ts'
import type { Sign } from './sign.ts'
import { signOf } from './signs.ts'

type Confidence = Diagnosis['confidence']

export interface Diagnosed {
  readonly diagnosis: Diagnosis
  readonly evidence: readonly string[]
  /** Confidence in this evidence; at most that of the diagnosis. */
  readonly confidence: Confidence
}

export interface DoctorResult {
  readonly found: readonly Diagnosed[]
  /** Failed checks, if no diagnosis was found, and the parts that the node could not read. */
  readonly unexplained: readonly string[]
  /** Parts that are missing. */
  readonly missing: readonly Part[]
  /** How many diagnoses were skipped because their parts are missing. */
  readonly skipped: number
}

/** Whether the document contains no part of a report. */
export function isEmptyReport(document: JsonObject): boolean {
  return reportOf(document).has.size === 0
}

const failedChecks = signOf({ anyOf: [{ in: 'health' }, { in: 'preflight' }] })

/** Errors first, then by confidence. Diagnoses that another found diagnosis causes are left out. */
export function diagnose(document: JsonObject): DoctorResult {
  const report = reportOf(document)
  const all = diagnoses
    .map((diagnosis) => ({ diagnosis, evidence: evidenceOf(diagnosis.sign, report) }))
    .filter(({ evidence }) => evidence.length > 0)
    .map((one) => ({ ...one, confidence: confidenceOf(one.diagnosis, report) }))
  const ids = new Set(all.map(({ diagnosis }) => diagnosis.id))
  const found = all.filter(({ diagnosis }) => !diagnosis.causedBy?.some((id) => ids.has(id)))
  const unexplained = found.length > 0 ? [] : evidenceOf(failedChecks, report)
  return {
    found: found.toSorted((a, b) => rank(a) - rank(b)),
    unexplained: unexplained.length > 0 ? [...unexplained, ...evidenceOf(unreadParts, report)] : [],
    missing: parts.filter((part) => !report.has.has(part)),
    skipped: diagnoses.filter(({ sign }) => lacksParts(sign, report)).length,
  }
}

/** The node masks the secrets it knows; a report modified by hand can contain others. */
function evidenceOf(sign: Sign, report: Report): readonly string[] {
  return sign.evidenceIn(report).map((line) => redactSecrets(line))
}

function lacksParts({ needs, needsAll }: Sign, { has }: Report): boolean {
  return needsAll ? !needs.every((part) => has.has(part)) : !needs.some((part) => has.has(part))
}

const confidences = ['sure', 'likely', 'possible'] as const

/** Log lines and events can be days old, so without evidence in another part the confidence is lower. */
function confidenceOf({ sign, confidence, pods }: Diagnosis, report: Report): Confidence {
  const now = { ...report.document, logs: null, events: null }
  if (sign.evidenceIn({ ...report, document: now }).length > 0) return confidence
  if (!pods && isHealthy(report)) return 'possible'
  const isEnded = report.has.has('health') && !pods
  return confidence === 'sure' && !isEnded ? 'likely' : confidence
}

/** Orders errors before warnings, then by confidence. */
export function rank({ diagnosis: { severity }, confidence }: Diagnosed): number {
  return (severity === 'error' ? 0 : confidences.length) + confidences.indexOf(confidence)
}
