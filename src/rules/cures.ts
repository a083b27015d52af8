// Remedies that name a version: one that was tried with the rest of the profile, and breaks nothing.
import type { Facts } from '../model/facts.ts'
import type { Finding } from '../model/finding.ts'
import type { Movable, Move } from '../model/move.ts'
import { formatPath } from '../model/path.ts'
import type { Rule } from '../model/rule.ts'
import type { Ask } from './check.ts'
import { components } from './components.ts'
import { rules } from './index.ts'
import { isOfCluster, movesFor, sentenceOf } from './moves.ts'

const byId = new Map(rules.map((rule) => [rule.id, rule]))

/**
 * A version is one more way out: the rule's own remedy stays. One that cures several findings is named by all of
 * them, so that a person has one value to change. `look` gives the facts after a move.
 */
export function withCures(
  findings: readonly Finding[],
  facts: Facts,
  look: (move: Move) => Facts,
  ask: Ask['rule'],
): readonly Finding[] {
  const known = new Set(findings.filter(isError).map(keyOf))
  const trials = remembered((move: Move) => trial(look(move), known, ask))
  const cures = (move: Move, { rule, key }: Curable) => !trials(move).finds(rule).has(key)
  const curable = findings.flatMap((finding) => {
    const rule = byId.get(finding.id)
    return rule?.moves ? [{ rule, key: keyOf(finding), finding }] : []
  })
  const best = remembered((movable: Movable) =>
    movesFor(movable, facts)
      .map((move) => ({
        move,
        cluster: Number(isOfCluster(move)),
        // A cluster goes one minor after the other: there the nearest counts.
        cured: isOfCluster(move) ? 0 : curable.filter((one) => cures(move, one)).length,
      }))
      .toSorted((a, b) => a.cluster - b.cluster || b.cured - a.cured)
      .map(({ move }) => move),
  )
  const remedies = new Map(
    curable.map((one) => {
      const moves = movablesOf(one.rule, one.finding).flatMap(best)
      return [one.finding, moves.find((move) => cures(move, one) && !trials(move).breaks())]
    }),
  )
  return findings.map((finding) => {
    const move = remedies.get(finding)
    return move ? { ...finding, remedy: `${finding.remedy ?? ''} ${sentenceOf(move)}` } : finding
  })
}

interface Curable {
  readonly rule: Rule
  readonly key: string
}

/** What a profile is like after a move; each rule looks at it once, however many findings ask. */
function trial(facts: Facts, known: ReadonlySet<string>, ask: Ask['rule']) {
  const found = new Map<Rule, ReadonlySet<string>>()
  let broken: boolean | undefined
  return {
    finds(rule: Rule): ReadonlySet<string> {
      const keys = found.get(rule) ?? new Set(ask(rule, facts).map(keyOf))
      found.set(rule, keys)
      return keys
    },
    /** Whether there is an error that was not there before. */
    breaks: () =>
      (broken ??= rules.some((rule) =>
        ask(rule, facts).some((one) => isError(one) && !known.has(keyOf(one))),
      )),
  }
}

/** Where a finding is about the version of a component, that one moves. */
function movablesOf({ moves = [] }: Rule, { path }: Finding): readonly Movable[] {
  const at = formatPath(path)
  const own = moves.filter(
    (name) => name !== 'sandboxImage' && formatPath(components[name].path) === at,
  )
  return own.length > 0 ? own : moves
}

/** Many findings try the same moves. */
function remembered<From, To>(compute: (from: From) => To): (from: From) => To {
  const known = new Map<string, { readonly value: To }>()
  return (from) => {
    const key = JSON.stringify(from)
    const found = known.get(key) ?? { value: compute(from) }
    known.set(key, found)
    return found.value
  }
}

const isError = ({ severity }: Finding) => severity === 'error'
const keyOf = ({ id, path, see }: Finding) => JSON.stringify([id, path, see])
