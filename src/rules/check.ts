// Runs every rule over the facts, and leaves out what a refused value would have led to.
import type { Finding, Severity } from '../model/finding.ts'
import type { Path } from '../model/path.ts'
import { overlapsTree, pathTree } from '../model/path-tree.ts'
import type { Facts } from '../model/facts.ts'
import type { Conflict, Rule } from '../model/rule.ts'
import { rules } from './index.ts'
import { recordReads } from './reads.ts'

/** Facts of a spec; rows are looked up when they are read. */
export type Look<Spec> = (spec: Spec) => Facts

/** Asks rules of the facts of a spec. */
export interface Ask {
  readonly rule: (rule: Rule, facts: Facts) => readonly Finding[]
  /** Of nothing that was refused; `only` of one severity: cases may weigh less, and none weighs more. */
  readonly rules: (facts: Facts, refused: readonly Path[], only?: Severity) => readonly Finding[]
}

export function askingOnce(look: Look<Facts['spec']>): Ask {
  return {
    rule: findingsOf,
    rules: (facts, refused, only) => {
      const unknown = pathTree(refused)
      return askedRules(only).flatMap((rule) => {
        if (refused.length === 0 || rule.byValue) return findingsOf(rule, facts)
        const { value, reads } = recordReads(facts.spec)
        const findings = findingsOf(rule, look(value))
        return reads().some((read) => overlapsTree(unknown, read)) ? [] : findings
      })
    },
  }
}

export function askedRules(only: Severity | undefined): readonly Rule[] {
  return only === undefined ? rules : rules.filter(({ severity }) => severity === only)
}

/** The fields of a spec that a rule looks at; none where no rule has the id. */
export function readsOf(
  id: string,
  spec: Facts['spec'],
  look: Look<Facts['spec']>,
): readonly Path[] {
  const { value, reads } = recordReads(spec)
  rules.find((rule) => rule.id === id)?.check(look(value))
  return reads()
}

export function findingsOf(rule: Rule, facts: Facts): readonly Finding[] {
  return rule.check(facts).map((conflict) => findingOf(rule, conflict))
}

function findingOf(rule: Rule, conflict: Conflict): Finding {
  const { id, severity, harm, remedy, see, asks } = rule
  return { id, severity, ...(harm && { harm }), remedy, see, ...(asks && { asks }), ...conflict }
}
