// The flags of upgrade that name a cluster.
import * as Flags from '@oclif/core/flags'
import { kubeconfigFlags } from '../kubeconfig-flags.ts'

export const clusterFlags = {
  ...kubeconfigFlags('Start at the versions in the cluster'),
  selector: Flags.string({
    char: 'l',
    helpValue: 'LABELS',
    summary: 'Read only Windows nodes with these labels.',
    helpGroup: 'CLUSTER',
  }),
}
