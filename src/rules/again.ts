// Runs the rules over one spec after another: again only those that read what is another now.
import type { Finding, Severity } from '../model/finding.ts'
import type { Rule } from '../model/rule.ts'
import type { NodeSpec } from '../model/spec.ts'
import { askedRules, checkRules, findingsOf, type Look } from './check.ts'
import { placesThatDiffer, watched, type Place } from './places.ts'

interface Checked {
  readonly rule: Rule
  readonly reads: ReadonlySet<Place>
  readonly findings: readonly Finding[]
}

interface Run {
  readonly spec: NodeSpec
  readonly only: Severity | undefined
  readonly checked: readonly Checked[]
}

/** As `checkRules`; quick where a spec differs little from the one before. Of one day, and one way to look. */
export function checkingAgain(): typeof checkRules {
  let last: Run | undefined
  return (facts, look, refused, only) => {
    // What depends on a refused value is found by other means.
    if (refused.length > 0) return checkRules(facts, look, refused, only)
    const { spec } = facts
    const checked = last && last.only === only ? renewed(last, spec, look) : first(spec, look, only)
    last = { spec, only, checked }
    return checked.flatMap(({ findings }) => findings)
  }
}

function first(spec: NodeSpec, look: Look<NodeSpec>, only: Severity | undefined) {
  return askedRules(only).map((rule) => check(rule, spec, look))
}

function renewed({ spec: before, checked }: Run, spec: NodeSpec, look: Look<NodeSpec>) {
  const places = [...placesThatDiffer(before, spec)]
  return checked.map((one) =>
    places.some((place) => one.reads.has(place)) ? check(one.rule, spec, look) : one,
  )
}

function check(rule: Rule, spec: NodeSpec, look: Look<NodeSpec>): Checked {
  const reads = new Set<Place>()
  const seen = watched(spec, (place) => reads.add(place))
  return { rule, reads, findings: findingsOf(rule, look(seen)) }
}
