// The flags of upgrade that name a cluster.
import * as Flags from '@oclif/core/flags'

export const clusterFlags = {
  kubeconfig: Flags.string({
    helpValue: 'FILE',
    exclusive: ['write'],
    summary: 'Start at the versions in the cluster of this kubeconfig.',
    helpGroup: 'CLUSTER',
  }),
  context: Flags.string({
    helpValue: 'CONTEXT',
    exclusive: ['write'],
    summary: 'Start at the versions in the cluster of this context.',
    helpGroup: 'CLUSTER',
  }),
  selector: Flags.string({
    char: 'l',
    helpValue: 'LABELS',
    summary: 'Read only Windows nodes with these labels.',
    helpGroup: 'CLUSTER',
  }),
  yes: Flags.boolean({
    char: 'y',
    summary: 'Allow the credential plugin of the kubeconfig to run.',
    helpGroup: 'CLUSTER',
  }),
}
