// Fleet: the same difference on many nodes is one, with how it looks on each of them.
import type { Drift } from '../model/drift.ts'

/** Of what differs on each node, nobody reads more. */
const most = 20

export interface Fleet {
  readonly add: (node: string, drifts: readonly Drift[]) => void
  readonly nodes: () => readonly string[]
  readonly drifts: () => readonly Drift[]
}

interface Group {
  readonly drift: Drift
  readonly nodes: Set<string>
  readonly variants: Map<string, Set<string>>
}

/** Keeps each difference once, and the names of nodes. */
export function openFleet(): Fleet {
  const groups = new Map<string, Group>()
  const nodes = new Set<string>()
  return {
    add: (node, drifts) => {
      nodes.add(node)
      for (const drift of drifts) {
        const key = `${drift.id}\n${drift.subject}`
        const group: Group = groups.get(key) ?? { drift, nodes: new Set(), variants: new Map() }
        groups.set(key, group)
        group.nodes.add(node)
        const full = group.variants.size >= most && !group.variants.has(drift.message)
        const message = full ? 'in other ways' : drift.message
        const variant = group.variants.get(message) ?? new Set<string>()
        group.variants.set(message, variant.add(node))
      }
    },
    nodes: () => [...nodes],
    drifts: () => [...groups.values()].map(summed),
  }
}

function summed({ drift, nodes, variants }: Group): Drift {
  const sorted = [...variants]
    .map(([message, some]) => ({ message, nodes: [...some] }))
    .sort((a, b) => b.nodes.length - a.nodes.length)
  return { ...drift, message: sorted.at(0)?.message ?? '', nodes: [...nodes], variants: sorted }
}
