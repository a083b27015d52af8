// Loads the code for clusters, and compares the one that the flags name.
import type { KubeletAccess } from '../../cluster/kubelets.ts'
import type { ClusterOptions } from '../cluster.ts'
import type { Options } from './cluster.ts'
import type { NodesDrift } from './nodes.ts'

export const nothingCompared: NodesDrift = { drifts: [], nodes: [] }

/** Twice as long as between two complete runs of the reconcile loop: templates/node/module/setup/health/publish.ps1. */
const longestSilence = 2 * 3_600_000

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
    const oldest = new Date(Date.now() - longestSilence).toISOString()
    return compareCluster(client, { ...described, selector, oldest, kubelets: ask, log })
  })
}
