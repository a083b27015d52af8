// Loads the code for clusters, and compares the one that the flags name.
import type { KubeletAccess } from '../../cluster/kubelets.ts'
import type { ClusterOptions } from '../cluster.ts'
import type { Options } from './cluster.ts'
import type { NodesDrift } from './nodes.ts'

export const nothingCompared: NodesDrift = { drifts: [], nodes: [] }

export async function compareNamedCluster(
  { selector, ...asked }: Omit<ClusterOptions, 'log'> & Pick<Options, 'selector'>,
  described: Pick<Options, 'facts' | 'plan' | 'files'>,
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
