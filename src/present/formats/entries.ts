// Converts findings and differences to the common input of all formats for other programs.
import type { Drift, DriftResult } from '../../model/drift.ts'
import { compareFindings, type Finding, hasErrors } from '../../model/finding.ts'
import { formatPath } from '../../model/path.ts'
import type { CheckResult } from '../../smoke/result.ts'
import type { FindingsReport } from '../pretty.ts'
import { nodeShareWithNames, subjectLabel } from '../fleet.ts'
import type { Case, Entry } from './reported.ts'

/** Errors first, ignored findings last. In JUnit, each rule is a test case. */
export function findingEntries(report: Required<FindingsReport>): readonly Entry[] {
  const { findings, ignored, strict } = report
  const entry = (finding: Finding, accepted?: string): Entry => {
    const { id, message, place, path } = finding
    return {
      ...common(finding),
      place,
      about: formatPath(path),
      cases: [{ names: [id], message }],
      fails: hasErrors([finding], strict),
      accepted,
    }
  }
  return [
    ...findings.toSorted(compareFindings).map((finding) => entry(finding)),
    ...ignored.map(({ finding, reason }) => entry(finding, reason)),
  ]
}

/** Failed and skipped checks. In JUnit, each check is a test case. */
export function smokeEntries(results: readonly CheckResult[]): readonly Entry[] {
  return results
    .filter(({ outcome }) => outcome !== 'passed')
    .map(({ id, title, where, outcome, message }) => ({
      id,
      severity: outcome === 'failed' ? 'error' : 'info',
      message,
      about: where === '' ? title : `${title}, ${where}`,
      cases: [{ names: [title], message }],
      fails: outcome === 'failed',
      accepted: outcome === 'skipped' ? 'skipped' : undefined,
    }))
}

/** Errors first, ignored differences last. In JUnit, each node, file and object is a test case. */
export function driftEntries({ drifts, nodes, ignored }: DriftResult): readonly Entry[] {
  const entry = (drift: Drift, accepted?: string): Entry => {
    const { subject, weight } = drift
    return {
      ...common(drift),
      // A difference on several nodes has no single line in a file.
      place: drift.nodes ? undefined : drift.place,
      about: subjectLabel(subject),
      on: drift.nodes && nodeShareWithNames(drift.nodes, nodes.length),
      cases: casesOf(drift),
      fails: weight !== 'informational',
      accepted,
    }
  }
  return [
    ...drifts.toSorted(compareFindings).map((drift) => entry(drift)),
    ...ignored.map(({ drift, reason }) => entry(drift, reason)),
  ]
}

function common({ id, severity, message, remedy, see }: Finding | Drift) {
  return { id, severity, message, remedy, see }
}

function casesOf({ nodes, variants, message, subject, place }: Drift): readonly Case[] {
  if (!nodes) return [{ names: [place?.file ?? subject.replace(/#.*$/s, '')], message }]
  const variantsOrOne = variants ?? [{ message, nodes }]
  return variantsOrOne.map((one) => ({ names: one.nodes, message: one.message }))
}
