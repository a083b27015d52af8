// How kube-proxy runs on the nodes of a profile: as a service, as a DaemonSet, or not from the bundle.
import type { CniName } from '../model/plugin-settings.ts'
import type { NodeSpec } from '../model/spec.ts'
import { cniOf } from './index.ts'
import type { DaemonSetName } from './plugin.ts'

type RunsAs = NodeSpec['kubeProxy']['runsAs']

/** The plugin's way; where that is a service, the profile may choose HostProcess pods, and pods follow a plugin of pods. */
export function kubeProxyRuns({
  network,
  kubeProxy,
}: Pick<NodeSpec, 'network' | 'kubeProxy'>): 'service' | 'daemonSet' | false {
  const { kubeProxy: byPlugin, hostProcess } = cniOf(network.cni)
  if (!hasKubeProxy(network.cni, kubeProxy.runsAs)) return false
  const asPods = kubeProxy.runsAs === 'hostProcess' || hostProcess(network)
  return byPlugin === 'service' && !asPods ? 'service' : 'daemonSet'
}

/** The HostProcess pods of the network: the plugin's and kube-proxy's. */
export function networkPods({ network, kubeProxy }: NodeSpec): readonly DaemonSetName[] {
  return [
    ...(cniOf(network.cni).daemonSets?.(network) ?? []),
    ...(kubeProxyRuns({ network, kubeProxy }) === 'daemonSet'
      ? [{ namespace: 'kube-system', name: 'winnode-kube-proxy' }]
      : []),
  ]
}

/** Whether the bundle has kube-proxy: with a plugin that winnode does not know, only if the profile asks for its pods. */
export function hasKubeProxy(cni: CniName, runsAs: RunsAs): boolean {
  const { kubeProxy } = cniOf(cni)
  return kubeProxy === 'asked' ? runsAs === 'hostProcess' : kubeProxy !== false
}
