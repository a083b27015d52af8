// Remedies that name a version: one that was tried with the rest of the profile, and breaks nothing.
import type { Facts } from '../model/facts.ts'
import { byWeight, type Finding } from '../model/finding.ts'
import type { Movable, Move } from '../model/move.ts'
import { formatPath } from '../model/path.ts'
import type { Rule } from '../model/rule.ts'
import { components } from './components.ts'
import { rules } from './index.ts'
import { isOfCluster, movesFor, sentenceOf } from './moves.ts'
import { remembered, trialsBeside, type Trial } from './trials.ts'

const byId = new Map(rules.map((rule) => [rule.id, rule]))

/**
 * A version is one more way out: the rule's own remedy stays. One that cures several findings is named by all of
 * them, so that a person has one value to change. `look` gives the facts after a move.
 */
export function withCures(
  findings: readonly Finding[],
  facts: Facts,
  look: (move: Move) => Facts,
): readonly Finding[] {
  const trials = trialsBeside(findings, look)
  const cures = (move: Move, { rule, finding }: Curable) => trials(move).cures(rule, finding)
  const curable = findings.flatMap((finding) => {
    const rule = byId.get(finding.id)
    return rule?.moves ? [{ rule, finding }] : []
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
      return [one.finding, remedyAmong(moves, one, trials)]
    }),
  )
  return findings.map((finding) => {
    const sentence = remedies.get(finding)
    return sentence ? { ...finding, remedy: `${finding.remedy ?? ''} ${sentence}` } : finding
  })
}

interface Curable {
  readonly rule: Rule
  readonly finding: Finding
}

/**
 * The first that brings neither warnings nor what weighs more. Else a trade that is worth it, and the sentence says what comes:
 * a node that works at the price of warnings, or warnings for others that are not more.
 */
function remedyAmong(
  moves: readonly Move[],
  { rule, finding }: Curable,
  trials: (move: Move) => Trial,
): string | undefined {
  const cures = (move: Move) => trials(move).cures(rule, finding) && !trials(move).breaks()
  const priceOf = (move: Move) =>
    trials(move)
      .brings()
      .filter((one) => one.severity !== 'info' || byWeight(one, finding) < 0)
  const free = moves.find((move) => cures(move) && priceOf(move).length === 0)
  if (free) return sentenceOf(free)
  const trades = moves
    .filter(cures)
    .map((move) => ({ move, price: priceOf(move) }))
    .filter(({ move, price }) => isWorth(finding, price, trials(move)))
    .toSorted((a, b) => a.price.length - b.price.length)
  const [least] = trades
  if (!least) return undefined
  const ids = [...new Set(least.price.map(({ id }) => id))]
  return `${sentenceOf(least.move)} That brings ${ids.join(', ')}.`
}

function isWorth({ severity }: Finding, price: readonly Finding[], { ends }: Trial): boolean {
  return severity === 'error' || (severity === 'warning' && price.length <= ends())
}

/** Where a finding is about the version of a component, that one moves. */
function movablesOf({ moves = [] }: Rule, { path }: Finding): readonly Movable[] {
  const at = formatPath(path)
  const own = moves.filter(
    (name) => name !== 'sandboxImage' && formatPath(components[name].path) === at,
  )
  return own.length > 0 ? own : moves
}
