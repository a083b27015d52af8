// Loads the code for clusters, and compares the one that the flags name.
import type { KubeletAccess } from '../../cluster/kubelets.ts'
import type { Facts } from '../../model/facts.ts'
import type { Plan, RenderedFile } from '../../model/plan.ts'
import type { NodesDrift } from './nodes.ts'

export const nothingCompared: NodesDrift = { drifts: [], nodes: [] }

interface ClusterFlags {
  readonly kubeconfig: string | undefined
  readonly context: string | undefined
  readonly selector: string | undefined
  readonly yes: boolean
}

interface Desired {
  readonly facts: Facts
  readonly plan: Plan
  readonly files: readonly RenderedFile[]
}

export async function compareNamedCluster(
  { selector, ...asked }: ClusterFlags,
  described: Desired,
  configz: KubeletAccess | undefined,
  log: (line: string) => void,
): Promise<NodesDrift> {
  const [{ withCluster }, { compareCluster }, { configzReader }] = await Promise.all([
    import('../cluster.ts'),
    import('./cluster.ts'),
    import('../../cluster/kubelets.ts'),
  ])
  return withCluster({ ...asked, log }, (client) => {
    const ask = configz && configzReader(client, configz)
    return compareCluster(client, { ...described, selector, kubelets: ask, log })
  })
}
