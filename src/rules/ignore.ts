// `ignore` of a profile: removes the findings it names, and checks the list itself.
import { ownOf } from '../model/json.ts'
import { isOfDrift } from '../model/drift-kinds.ts'
import type { Facts } from '../model/facts.ts'
import type { Finding, Ignore, Ignored, Severity } from '../model/finding.ts'
import { nearest } from '../text/nearest.ts'
import type { Rule } from '../model/rule.ts'
import { rules } from './index.ts'
import { rulesTogether } from './together.ts'

type Known = Pick<Rule, 'id' | 'severity' | 'severityVaries'>

interface IgnoreRule {
  readonly severity: Severity
  readonly message: (id: string, entry: Ignore) => string
  readonly remedy: string
  readonly applies: (rule: Known | undefined, entry: Ignore, today: string, id: string) => boolean
}

/** Findings about the list itself, by id; these cannot be ignored. */
export const ignoreRules = {
  'ignored-rule-unknown': {
    severity: 'warning',
    message: (id) => `unknown rule ${id.trim() || '""'}`,
    remedy: 'Remove the entry.',
    applies: (rule, _entry, _today, id) => rule === undefined && !isOfDrift(id),
  },
  'ignored-rule-is-error': {
    severity: 'error',
    message: (id) => `${id} is an error, and errors cannot be ignored`,
    remedy: 'Fix the error and remove this entry.',
    applies: (rule) => rule?.severity === 'error' && !rule.severityVaries,
  },
  'ignored-too-long': {
    severity: 'warning',
    message: (id, { until = '' }) => `ignoring ${id} expired on ${until}`,
    remedy: 'Fix the finding, or set a later date.',
    applies: (rule, entry, today, id) =>
      (rule !== undefined || isOfDrift(id)) && isExpired(entry, today),
  },
} as const satisfies Readonly<Record<string, IgnoreRule>>

/** `Did you mean` is looked up for this many entries only: it compares the id with every rule. */
const mostGuesses = 100

const byId = new Map<string, Known>([...rules, ...rulesTogether].map((rule) => [rule.id, rule]))

/** Findings about the list itself. */
export function checkIgnored({ spec, today }: Facts): readonly Finding[] {
  return Object.entries(spec.ignore).flatMap(([ignored, entry], at) =>
    Object.entries<IgnoreRule>(ignoreRules).flatMap(
      ([id, { severity, message, remedy, applies }]) => {
        const rule = byId.get(ignored)
        if (!applies(rule, entry, today, ignored)) return []
        const guess = rule || at >= mostGuesses ? undefined : nearest(ignored, byId.keys())
        const help = guess === undefined ? remedy : `Did you mean ${guess}?`
        const path = ['ignore', ignored]
        const of = { id, severity, harm: 'limits', path, at: 'key' } as const
        return [{ ...of, message: message(ignored, entry), remedy: help }]
      },
    ),
  )
}

/** Splits findings into those to show and those that the profile ignores; errors cannot be ignored. */
export function withoutIgnored(
  findings: readonly Finding[],
  { spec, today }: Facts,
): { readonly findings: readonly Finding[]; readonly ignored: readonly Ignored[] } {
  const reasonOf = ({ id, severity }: Finding): string | undefined => {
    const entry = ownOf(spec.ignore, id)
    return entry && severity !== 'error' && !isExpired(entry, today) ? entry.reason : undefined
  }
  return {
    findings: findings.filter((finding) => reasonOf(finding) === undefined),
    ignored: findings.flatMap((finding) => {
      const reason = reasonOf(finding)
      return reason === undefined ? [] : [{ finding, reason }]
    }),
  }
}

/** `until` is inclusive; dates are YYYY-MM-DD, so they compare as text. */
function isExpired({ until }: Ignore, today: string): boolean {
  return until !== undefined && until < today
}
