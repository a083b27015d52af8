// What a profile ignores: what that hides, and what it cannot hide.
import { isOfDrift } from '../model/drift.ts'
import type { Facts } from '../model/facts.ts'
import type { Finding, Ignore, Ignored, Severity } from '../model/finding.ts'
import { nearest } from '../model/nearest.ts'
import type { Rule } from '../model/rule.ts'
import { rules } from './index.ts'

interface Complaint {
  readonly severity: Severity
  readonly message: (id: string, entry: Ignore) => string
  readonly remedy: string
  readonly holds: (rule: Rule | undefined, entry: Ignore, today: string, id: string) => boolean
}

/** By id; none of them can be ignored. */
export const complaints = {
  'ignored-rule-unknown': {
    severity: 'warning',
    message: (id) => `there is no rule ${id.trim() || '""'} that could be ignored`,
    remedy: 'Remove it.',
    holds: (rule, _entry, _today, id) => rule === undefined && !isOfDrift(id),
  },
  'ignored-rule-is-error': {
    severity: 'error',
    message: (id) => `${id} is an error, and errors cannot be ignored`,
    remedy: 'Correct what it says, and remove it here.',
    holds: (rule) => rule?.severity === 'error' && !rule.weighed,
  },
  'ignored-too-long': {
    severity: 'warning',
    message: (id, { until = '' }) => `${id} was to be ignored until ${until}`,
    remedy: 'Consider it again: correct what it says, or give it another day.',
    holds: (rule, entry, today, id) =>
      (rule !== undefined || isOfDrift(id)) && isOver(entry, today),
  },
} as const satisfies Readonly<Record<string, Complaint>>

/** Nobody is shown more of them, and to guess among all rules takes long. */
const guessed = 100

const byId = new Map(rules.map((rule) => [rule.id, rule]))

/** What is wrong with the list itself. */
export function checkIgnored({ spec, today }: Facts): readonly Finding[] {
  return Object.entries(spec.ignore).flatMap(([ignored, entry], at) =>
    Object.entries<Complaint>(complaints).flatMap(([id, { severity, message, remedy, holds }]) => {
      const rule = byId.get(ignored)
      if (!holds(rule, entry, today, ignored)) return []
      const guess = rule || at >= guessed ? undefined : nearest(ignored, byId.keys())
      const help = guess === undefined ? remedy : `Did you mean ${guess}?`
      const path = ['ignore', ignored]
      const of = { id, severity, harm: 'limits', path, at: 'key' } as const
      return [{ ...of, message: message(ignored, entry), remedy: help }]
    }),
  )
}

/** Errors stay, whatever a profile says. */
export function withoutIgnored(
  findings: readonly Finding[],
  { spec, today }: Facts,
): { readonly findings: readonly Finding[]; readonly ignored: readonly Ignored[] } {
  const reasonOf = ({ id, severity }: Finding): string | undefined => {
    const entry = Object.hasOwn(spec.ignore, id) ? spec.ignore[id] : undefined
    return entry && severity !== 'error' && !isOver(entry, today) ? entry.reason : undefined
  }
  return {
    findings: findings.filter((finding) => reasonOf(finding) === undefined),
    ignored: findings.flatMap((finding) => {
      const reason = reasonOf(finding)
      return reason === undefined ? [] : [{ finding, reason }]
    }),
  }
}

/** The last day still counts; days compare as text. */
function isOver({ until }: Ignore, today: string): boolean {
  return until !== undefined && until < today
}
