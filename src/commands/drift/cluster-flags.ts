// The flags of drift that name a cluster and how to read its kubelets.
import * as Flags from '@oclif/core/flags'
import { kubeconfigFlags, selectorFlag } from '../kubeconfig-flags.ts'

export const clusterFlags = {
  ...kubeconfigFlags('Compare with the cluster'),
  selector: selectorFlag('Compare'),
  configz: Flags.string({
    options: ['direct', 'proxy'],
    summary: 'Read kubelet configs directly, or through the API server (nodes/proxy).',
    helpGroup: 'CLUSTER',
  }),
  'kubelet-ca': Flags.string({
    helpValue: 'FILE',
    exclusive: ['kubelet-insecure'],
    summary: 'CA of the kubelets, for --configz direct.',
    helpGroup: 'CLUSTER',
  }),
  'kubelet-insecure': Flags.boolean({
    summary: 'Do not verify kubelet certificates, for --configz direct.',
    helpGroup: 'CLUSTER',
  }),
}
