// Live: the cluster of a kubeconfig, whose code is loaded only where one is named.
import type { AskedKubelets } from '../../cluster/kubelets.ts'
import type { Facts } from '../../model/facts.ts'
import type { Plan, RenderedFile } from '../../model/plan.ts'
import type { FleetFound } from './nodes.ts'

export const nothing: FleetFound = { drifts: [], nodes: [] }

interface Live {
  readonly kubeconfig: string | undefined
  readonly context: string | undefined
  readonly selector: string | undefined
  readonly yes: boolean
}

interface Described {
  readonly facts: Facts
  readonly plan: Plan
  readonly files: readonly RenderedFile[]
}

export async function liveCluster(
  { selector, ...asked }: Live,
  described: Described,
  configz: AskedKubelets | undefined,
  tell: (line: string) => void,
): Promise<FleetFound> {
  const [{ onCluster }, { clusterFound }, { kubelets }] = await Promise.all([
    import('../cluster.ts'),
    import('./cluster.ts'),
    import('../../cluster/kubelets.ts'),
  ])
  return onCluster({ ...asked, tell }, (client) => {
    const ask = configz && kubelets(client, configz)
    return clusterFound(client, { ...described, selector, kubelets: ask, tell })
  })
}
