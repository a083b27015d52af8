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

/**
 * Leaves out rules that read a path of `refused`. `only` runs the rules of one severity: a conflict
 * may lower the severity of its rule, and never raises it.
 */
export function runRules(
  facts: Facts,
  refused: readonly Path[],
  look: Look<Facts['spec']>,
  only?: Severity,
): readonly Finding[] {
  const unknown = pathTree(refused)
  const asked = only === undefined ? rules : rules.filter(({ severity }) => severity === only)
  return asked.flatMap((rule) => {
    if (refused.length === 0 || rule.byValue) return findingsOf(rule, facts)
    const { value, reads } = recordReads(facts.spec)
    const findings = findingsOf(rule, look(value))
    return reads().some((read) => overlapsTree(unknown, read)) ? [] : findings
  })
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
