// Trials: what rules say of a profile after a move, beside what they said before it.
import type { Facts } from '../model/facts.ts'
import { byWeight, type Finding } from '../model/finding.ts'
import type { Move } from '../model/move.ts'
import { remembered as byIdentity } from '../model/remembered.ts'
import type { Rule } from '../model/rule.ts'
import { findingsOf } from './check.ts'
import { withoutIgnored } from './ignore.ts'
import { rules } from './index.ts'

/** A rule is asked when somebody wants to know, and once. */
export interface Trial {
  /** Whether its rule finds the same no more. */
  readonly cures: (rule: Rule, finding: Finding) => boolean
  /** Whether there is an error that was none before. */
  readonly breaks: () => boolean
  /** What was not there before, or weighed less. */
  readonly brings: () => readonly Finding[]
  /** How many warnings and errors end. */
  readonly ends: () => number
}

type Known = ReadonlyMap<string, Finding>

/** `look` gives the facts after a move. Many findings try the same moves. */
export function trialsBeside(
  before: readonly Finding[],
  look: (move: Move) => Facts,
): (move: Move) => Trial {
  const known = keyed(before)
  return remembered((move: Move) => trial(look(move), known))
}

function trial(facts: Facts, known: Known): Trial {
  const asked = new Map<Rule, Known>()
  const saidBy = (rule: Rule) => {
    const said = asked.get(rule) ?? keyed(findingsOf(rule, facts))
    asked.set(rule, said)
    return said
  }
  const isWorse = (key: string, one: Finding) => {
    const was = known.get(key)
    return was === undefined || byWeight(one, was) < 0
  }
  let broken: boolean | undefined
  let all: Known | undefined
  const after = () =>
    (all ??= keyed(
      withoutIgnored(
        rules.flatMap((rule) => [...saidBy(rule).values()]),
        facts,
      ).findings,
    ))
  return {
    cures: (rule, finding) => !saidBy(rule).has(keyOf(finding)),
    breaks: () =>
      (broken ??= rules.some((rule) =>
        [...saidBy(rule)].some(([key, one]) => one.severity === 'error' && isWorse(key, one)),
      )),
    brings: () => [...after()].flatMap(([key, one]) => (isWorse(key, one) ? [one] : [])),
    ends: () =>
      [...known].filter(([key, one]) => one.severity !== 'info' && !after().has(key)).length,
  }
}

const keyed = (findings: readonly Finding[]): Known =>
  new Map(findings.map((finding) => [keyOf(finding), finding]))

/** By the text of what is asked. */
export function remembered<From, To>(compute: (from: From) => To): (from: From) => To {
  const known = new Map<string, { readonly value: To }>()
  return (from) => {
    const key = JSON.stringify(from)
    const found = known.get(key) ?? { value: compute(from) }
    known.set(key, found)
    return found.value
  }
}

/** Kept with the finding: a path may be a megabyte long, and every trial looks it up. */
const keyOf = byIdentity(({ id, path, see }: Finding) => JSON.stringify([id, path, see]))
