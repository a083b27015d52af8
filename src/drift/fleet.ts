// Groups the same difference of many nodes into one, with its variants.
import type { Drift, Variant } from '../model/drift.ts'

/** Of one difference. */
const maxVariants = 20
/** Only a forged report has more. */
const maxDifferences = 10_000

interface Fleet {
  readonly add: (node: string, drifts: readonly Drift[]) => void
  readonly nodes: () => readonly string[]
  readonly drifts: () => readonly Drift[]
}

/** The group for all beyond the maximum. */
const further = 'further'

interface Group {
  readonly drift: Drift
  readonly nodes: string[]
  readonly variants: Map<string, string[]>
}

/** Keeps each difference once, with the names of its nodes. */
export function newFleet(): Fleet {
  const groups = new Map<string, Group>()
  const nodes = new Set<string>()
  const groupOf = (drift: Drift): Group => {
    const key = `${drift.id}\n${drift.subject}`
    const known = groups.get(key)
    if (known) return known
    if (groups.size >= maxDifferences && drift.subject !== further)
      return groupOf({ ...drift, subject: further, message: 'more differences' })
    const group: Group = { drift, nodes: [], variants: new Map() }
    groups.set(key, group)
    return group
  }
  return {
    add: (node, drifts) => {
      nodes.add(node)
      for (const drift of drifts) {
        const group = groupOf(drift)
        addOnce(group.nodes, node)
        const full = group.variants.size >= maxVariants && !group.variants.has(drift.message)
        const message = full ? otherVariants : drift.message
        const variant = group.variants.get(message) ?? []
        addOnce(variant, node)
        group.variants.set(message, variant)
      }
    },
    nodes: () => [...nodes],
    drifts: () => [...groups.values()].map(summed),
  }
}

/** Stands for all messages after the first ones, so it is never the message of a difference. */
const otherVariants = 'other variants'

/** All differences of a node are added together, and each node once. */
function addOnce(names: string[], node: string): void {
  if (names.at(-1) !== node) names.push(node)
}

function summed({ drift, nodes, variants }: Group): Drift {
  const sorted = [...variants]
    .map(([message, some]) => ({ message, nodes: some }))
    .sort(
      (a, b) =>
        Number(a.message === otherVariants) - Number(b.message === otherVariants) ||
        b.nodes.length - a.nodes.length,
    )
  return { ...drift, message: majorityMessage(sorted, nodes.length), nodes, variants: sorted }
}

/** The most common message, and the number of nodes with another one. */
function majorityMessage([first, ...others]: readonly Variant[], count: number): string {
  const { message = '', nodes = [] } = first ?? {}
  const rest = count - nodes.length
  if (others.length === 0 || rest === 0) return message
  return `${message}; differently on ${rest} of these nodes`
}
