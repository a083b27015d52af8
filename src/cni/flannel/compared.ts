// The flannel settings that Join compares with the cluster, and the account that may read them.
import type { Json } from '../../model/json.ts'
import type { NodeSpec } from '../../model/spec.ts'
import { accountOf } from '../kubeconfig.ts'
import { runsAsPods } from './runs-as.ts'

export function compared({ network }: NodeSpec): Readonly<Record<string, Json>> {
  // Before the join, there is no account that may list nodes.
  if (runsAsPods(network)) return {}
  const { backend, mode, flannel } = network
  return {
    flannelBackend: backend,
    ...(mode === 'overlay' ? { flannelVNI: flannel.vni } : {}),
    ...accountOf('flannel', flannel.credentials),
  }
}
