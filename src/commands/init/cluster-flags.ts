// The flags of init that name a cluster.
import * as Flags from '@oclif/core/flags'

export const clusterFlags = {
  'from-cluster': Flags.boolean({
    summary: 'Propose what the cluster of your kubeconfig says; it is only read.',
    helpGroup: 'CLUSTER',
  }),
  kubeconfig: Flags.string({
    helpValue: 'FILE',
    dependsOn: ['from-cluster'],
    summary: 'The kubeconfig, in place of KUBECONFIG and ~/.kube/config.',
    helpGroup: 'CLUSTER',
  }),
  context: Flags.string({
    helpValue: 'CONTEXT',
    dependsOn: ['from-cluster'],
    summary: 'The context in it, in place of the current one.',
    helpGroup: 'CLUSTER',
  }),
}
