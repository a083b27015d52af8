// Whether flannel runs as a service of the node, or as HostProcess pods.
import type { NodeSpec } from '../../model/spec.ts'

export const runsAsPods = ({ flannel }: NodeSpec['network']) => flannel.runsAs === 'hostProcess'
