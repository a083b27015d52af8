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

/** With `only`, rules of that severity; cases of theirs may weigh less, and none weighs more. */
export function checkRules(
  facts: Facts,
  look: Look<Facts['spec']>,
  refused: readonly Path[],
  only?: Severity,
): readonly Finding[] {
  const unknown = pathTree(refused)
  return askedRules(only).flatMap((rule) => {
    if (refused.length === 0 || rule.byValue) return findingsOf(rule, facts)
    const { value, reads } = recordReads(facts.spec)
    const conflicts = rule.check(look(value))
    const blind = reads().some((read) => overlapsTree(unknown, read))
    return blind ? [] : conflicts.map((conflict) => findingOf(rule, conflict))
  })
}

export function askedRules(only: Severity | undefined): readonly Rule[] {
  return only === undefined ? rules : rules.filter(({ severity }) => severity === only)
}

/** The fields of a spec that a rule looked at; none where no rule has the id. */
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
