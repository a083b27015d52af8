// Findings: rules, what is wrong with a profile before them, and differences.
import type { Description } from '../../present/formats/reported.ts'
import { severityWords } from '../../present/summary.ts'
import type { Rule } from '../../model/rule.ts'
import { addedDefectRules, defectRule } from '../../rules/defect-rule.ts'
import { rules } from '../../rules/index.ts'
import { workloadRules } from '../../workloads/rules/index.ts'
import { differenceKinds, kindsBesideRules, smokeKinds } from '../finding-kinds.ts'
import { factsOf, topicOf, unique, type Scope, type Topic } from './topic.ts'

/** A row of `--facts` with the id of a known defect takes its place. */
function rulesOf({ added }: Pick<Scope, 'added'>): readonly Rule[] {
  if (!added) return rules
  const rows = new Map(added.defects?.map((row) => [row.id, row]))
  return [
    ...rules.map((rule) => {
      const row = rows.get(rule.id)
      return row ? { ...defectRule(row), factsFile: added.file } : rule
    }),
    ...addedDefectRules({ added }),
  ]
}

/** The summary of a rule is what must hold. */
const unless = (summary: string) => `Reported unless this holds: ${summary}`

export const ruleTopic = topicOf(
  rulesOf,
  ({
    id,
    severity,
    severityVaries,
    summary,
    remedy,
    see,
    asks,
    upgrades,
    untested,
    factsFile,
  }) => ({
    kind: 'rule',
    what: unless(summary),
    facts: factsOf({
      severity: `${severityWords[severity]}${severityVaries ? ', less in some cases' : ''}`,
      fix: remedy,
      'added by': factsFile,
      'needs your': asks?.join(', '),
      upgrade:
        upgrades && upgrades.length > 0
          ? `validate names a version of ${upgrades.join(' or ')} without it`
          : undefined,
      untested: untested && 'upgrade stops before it, unless --accept-untested is given',
      accept:
        severity === 'error' && !severityVaries
          ? undefined
          : `ignore.${id} of a profile, with the reason`,
    }),
    see: [see],
  }),
)

/** Rules of `winnode lint`. */
export const workloadRuleTopic = topicOf(
  () => workloadRules,
  ({ severity, summary, remedy, see }) => ({
    kind: 'rule for workloads',
    what: unless(summary),
    facts: factsOf({ severity: severityWords[severity], fix: remedy }),
    see: [see],
  }),
)

export const findingTopic = topicOf(
  () => kindsBesideRules,
  ({ summary, severity = 'error', remedy, see }) => ({
    kind: 'finding',
    what: summary,
    facts: factsOf({ severity: severityWords[severity], fix: remedy }),
    see: unique([see]),
  }),
)

export const smokeTopic = kindTopic('check of a smoke test', smokeKinds, 'winnode smoke')

export const differenceTopic = kindTopic('difference', differenceKinds, 'winnode drift')

function kindTopic(kind: string, rows: readonly Description[], command: string): Topic {
  return topicOf(
    () => rows,
    ({ summary }) => ({ kind, what: summary, facts: factsOf({ 'found by': command }), see: [] }),
  )
}
