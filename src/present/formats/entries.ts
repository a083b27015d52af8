// Converts findings and differences to the common input of all formats for other programs.
import type { Drift } from '../../model/drift.ts'
import { compareFindings, type Finding, type Ignored } from '../../model/finding.ts'
import { formatPath } from '../../model/path.ts'
import type { Result } from '../../smoke/result.ts'
import { shareByName, thing } from '../fleet.ts'
import type { Case, Entry } from './reported.ts'

interface Findings {
  readonly findings: readonly Finding[]
  readonly ignored: readonly Ignored[]
  /** Warnings reject too. */
  readonly strict: boolean
}

/** Errors first, ignored findings last. In JUnit, each rule is a test case. */
export function findingEntries({ findings, ignored, strict }: Findings): readonly Entry[] {
  const entry = (finding: Finding, accepted?: string): Entry => {
    const { id, severity, message, place, path } = finding
    return {
      ...common(finding),
      place,
      about: formatPath(path),
      cases: [{ names: [id], message }],
      fails: severity === 'error' || (strict && severity === 'warning'),
      accepted,
    }
  }
  return [
    ...findings.toSorted(compareFindings).map((finding) => entry(finding)),
    ...ignored.map(({ finding, reason }) => entry(finding, reason)),
  ]
}

/** Failed and skipped checks. In JUnit, each check is a test case. */
export function smokeEntries(results: readonly Result[]): readonly Entry[] {
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

interface Differences {
  readonly drifts: readonly Drift[]
  /** Names of those that could be read. */
  readonly nodes: readonly string[]
  readonly ignored: readonly { readonly drift: Drift; readonly reason: string }[]
}

/** Errors first, ignored differences last. In JUnit, each node, file and object is a test case. */
export function driftEntries({ drifts, nodes, ignored }: Differences): readonly Entry[] {
  const entry = (drift: Drift, accepted?: string): Entry => {
    const { subject, weight } = drift
    return {
      ...common(drift),
      // Of nodes, a line of one file says nothing of the others.
      place: drift.nodes ? undefined : drift.place,
      about: thing(subject),
      on: drift.nodes && shareByName(drift.nodes, nodes.length),
      cases: casesOf(drift),
      fails: weight !== 'told',
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
  const looks = variants ?? [{ message, nodes }]
  return looks.map((one) => ({ names: one.nodes, message: one.message }))
}
