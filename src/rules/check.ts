// Runs every rule on the facts and drops findings that depend on a refused value.
import { carries } from '../cni/index.ts'
import type { Finding, Severity } from '../model/finding.ts'
import { isWithin, type Path } from '../model/path.ts'
import { overlapsTree, pathTree } from '../model/path-tree.ts'
import type { Facts } from '../model/facts.ts'
import type { Conflict, Rule } from '../model/rule.ts'
import { addedDefectRules } from './defect-rule.ts'
import { rules } from './index.ts'
import { recordReads } from '../model/reads.ts'

/** With a rule for each defect of a file of facts. */
export function rulesFor(facts: Facts): readonly Rule[] {
  return facts.added ? [...rules, ...addedDefectRules(facts)] : rules
}

/** Looks up the facts of a spec, each table row on first use. */
type LookUp = (spec: Facts['spec']) => Facts

/**
 * Skips rules that read a path of `refused`, and findings about one: the value there is a default, so their finding would be about a value
 * that the user did not write. With `only`, only rules of this severity run. That finds every finding of it, because
 * a conflict may lower the severity of its rule but never raises it.
 */
export function runRules(
  facts: Facts,
  refused: readonly Path[],
  lookUp: LookUp,
  only?: Severity,
): readonly Finding[] {
  const refusedTree = pathTree(refused)
  const all = rulesFor(facts)
  const selected = only === undefined ? all : all.filter(({ severity }) => severity === only)
  return selected.flatMap((rule) => {
    if (refused.length === 0 || rule.byValue) return findingsOf(rule, facts)
    const { value, reads } = recordReads(facts.spec)
    // The choice of the plugin is no read of the rule.
    const findings = findingsOf(rule, lookUp(value), facts.spec.network)
    if (reads().some((read) => overlapsTree(refusedTree, read))) return []
    // A rule may read what is derived from the value.
    return findings.filter(({ path }) => !refused.some((one) => isWithin(path, one)))
  })
}

/** The paths of a spec that a rule reads; none if no rule has this id. */
export function readsOf(id: string, spec: Facts['spec'], lookUp: LookUp): readonly Path[] {
  const { value, reads } = recordReads(spec)
  rules.find((rule) => rule.id === id)?.check(lookUp(value))
  return reads()
}

/** Without findings about fields that the bundle does not carry. */
export function findingsOf(
  rule: Rule,
  facts: Facts,
  { cni }: Pick<Facts['spec']['network'], 'cni'> = facts.spec.network,
): readonly Finding[] {
  return rule
    .check(facts)
    .filter(({ path }) => carries(cni, path))
    .map((conflict) => findingOf(rule, conflict))
}

function findingOf(rule: Rule, conflict: Conflict): Finding {
  const { id, severity, harm, remedy, see, asks, countedAs = id, exposure, factsFile } = rule
  return {
    id,
    severity,
    ...(harm && { harm }),
    remedy,
    see,
    ...(asks && { asks }),
    ...(factsFile !== undefined && { factsFile }),
    ...(exposure && { group: { id: 'exposure', title: 'review before production', countedAs } }),
    ...conflict,
  }
}
