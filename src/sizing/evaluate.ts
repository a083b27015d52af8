// Evaluates a sizing rule for a machine, without rounding errors.
// Intermediate amounts are integers in ten-thousandths of a millicore or MiB: even 0.25 % of an integer is one.
import type { Piece, SizingRule, Tier } from '../model/tables.ts'

const unit = 10_000

interface Size {
  /** Capacity of the machine, in millicores or MiB. */
  readonly total: number
  readonly maxPods: number
}

export function evaluate(rule: SizingRule, size: Size): number {
  return Math.floor(exact(rule, size) / unit)
}

function exact(rule: SizingRule, size: Size): number {
  switch (rule.kind) {
    case 'constant':
      return rule.amount * unit
    case 'percent':
      return rule.base * unit + share(size.total, rule.percent)
    case 'perPod':
      return (rule.base + rule.perPod * size.maxPods) * unit
    case 'tiers': {
      if (rule.floor && size.total < rule.floor.under) return rule.floor.amount * unit
      const parts = slices(rule.tiers, size.total)
      return sum(rule.roundEach ? parts.map((part) => whole(part, Math.floor)) : parts)
    }
    case 'steps':
      return (rule.steps.find(({ upTo }) => size.total <= upTo)?.amount ?? rule.above) * unit
    case 'pieces':
      return wholeGiB(rule.pieces, Math.floor(size.total / 1024)) * 1024 * unit
    case 'perCore': {
      const cores = size.total / 1000
      const amount = rule.first + rule.further * (cores - 1)
      return Math.max(rule.least, Math.round(amount / 10) * 10) * unit
    }
    case 'least':
      return Math.min(...rule.of.map((part) => exact(part, size)))
    case 'scale':
      return whole(rule.factor * exact(rule.of, size), Math.ceil)
  }
}

/** Percentages of all models have at most two decimals. */
function share(amount: number, percent: number): number {
  return amount * Math.round(percent * 100)
}

function slices(tiers: readonly Tier[], total: number): readonly number[] {
  return tiers.map(({ upTo = Infinity, percent }, index) => {
    const from = tiers[index - 1]?.upTo ?? 0
    return share(Math.max(0, Math.min(total, upTo) - from), percent)
  })
}

function wholeGiB(pieces: readonly Piece[], gibibytes: number): number {
  const piece = pieces.find(({ upTo = Infinity }) => gibibytes <= upTo)
  if (!piece) return 0
  const hundredths = Math.round(piece.intercept * 100) + Math.round(piece.slope * 100) * gibibytes
  return Math.floor((hundredths + 50) / 100)
}

function whole(amount: number, round: (amount: number) => number): number {
  return round(amount / unit) * unit
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
