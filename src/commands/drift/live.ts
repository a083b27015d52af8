// Live: the cluster of a kubeconfig, whose code is loaded only where one is named.
import type { Facts } from '../../model/facts.ts'
import type { RenderedFile } from '../../model/plan.ts'
import type { FleetFound } from './nodes.ts'

export const nothing: FleetFound = { drifts: [], nodes: [] }

interface Live {
  readonly kubeconfig: string | undefined
  readonly context: string | undefined
  readonly selector: string | undefined
  readonly yes: boolean
}

export async function liveCluster(
  { selector, ...asked }: Live,
  facts: Facts,
  files: readonly RenderedFile[],
): Promise<FleetFound> {
  const [{ onCluster }, { clusterFound }] = await Promise.all([
    import('../cluster.ts'),
    import('./cluster.ts'),
  ])
  return onCluster(asked, (client) => clusterFound(client, { facts, files, selector }))
}
