// The flags of init that name a cluster.
import * as Flags from '@oclif/core/flags'

export const clusterFlags = {
  'from-cluster': Flags.boolean({
    summary: 'Read defaults from the cluster of your kubeconfig.',
    helpGroup: 'CLUSTER',
  }),
  kubeconfig: Flags.string({
    helpValue: 'FILE',
    dependsOn: ['from-cluster'],
    summary: 'Use this kubeconfig.',
    helpGroup: 'CLUSTER',
  }),
  context: Flags.string({
    helpValue: 'CONTEXT',
    dependsOn: ['from-cluster'],
    summary: 'Use this kubeconfig context.',
    helpGroup: 'CLUSTER',
  }),
}
