// The flags of drift that name a cluster and how to read its kubelets.
import * as Flags from '@oclif/core/flags'

export const clusterFlags = {
  kubeconfig: Flags.string({
    helpValue: 'FILE',
    summary: 'Compare the cluster of this kubeconfig too; it is only read.',
    helpGroup: 'CLUSTER',
  }),
  context: Flags.string({
    helpValue: 'CONTEXT',
    summary: 'The same, with this context of KUBECONFIG or --kubeconfig.',
    helpGroup: 'CLUSTER',
  }),
  selector: Flags.string({
    char: 'l',
    helpValue: 'LABELS',
    summary: 'Of the cluster, the Windows nodes with these labels only, as kubectl takes them.',
    helpGroup: 'CLUSTER',
  }),
  yes: Flags.boolean({
    char: 'y',
    summary: 'Let the program run that a kubeconfig names for credentials.',
    helpGroup: 'CLUSTER',
  }),
  configz: Flags.string({
    options: ['direct', 'proxy'],
    summary:
      'Ask each kubelet what it runs with: at its own port, or through the API server, which takes get of nodes/proxy, a right that is not read-only.',
    helpGroup: 'CLUSTER',
  }),
  'kubelet-ca': Flags.string({
    helpValue: 'FILE',
    exclusive: ['kubelet-insecure'],
    summary: 'Of --configz direct: the authority that signed the kubelets’ certificates.',
    helpGroup: 'CLUSTER',
  }),
  'kubelet-insecure': Flags.boolean({
    summary: 'Of --configz direct: trust whoever answers at a kubelet’s address.',
    helpGroup: 'CLUSTER',
  }),
}
