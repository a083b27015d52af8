// How kube-proxy runs on the nodes of a profile: as a service, as a DaemonSet, or not from the bundle.
import type { NodeSpec } from '../model/spec.ts'
import { cniOf } from './index.ts'

/** The plugin's way; where that is a service, the profile may choose HostProcess pods, and pods follow a plugin of pods. */
export function kubeProxyRuns({
  network,
  kubeProxy,
}: Pick<NodeSpec, 'network' | 'kubeProxy'>): 'service' | 'daemonSet' | false {
  const { kubeProxy: byPlugin, hostProcess } = cniOf(network.cni)
  const asPods = kubeProxy.runsAs === 'hostProcess' || hostProcess(network)
  return byPlugin === 'service' && asPods ? 'daemonSet' : byPlugin
}
