// flannel as HostProcess pods: their DaemonSet, and what the node has for them.
import { lockedImage } from '../../model/locked-image.ts'
import { reasonsFor } from '../../matrix/reasons.ts'
import { windowsName, windowsVersion } from '../../matrix/windows.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { Facts } from '../../model/facts.ts'
import { inPhase, type DraftStep } from '../../model/plan.ts'
import { podKubeconfig } from '../kubeconfig.ts'
import { conflistOf, conflistPath, netConfOf } from './files.ts'
import { paths } from './paths.ts'
import { hostLocal, reservationOf } from './reservation.ts'
import { runsAsPods } from './runs-as.ts'
import { daemonSetSettings } from './settings.ts'

/** The kubelet expands it in variables of the pod: https://kubernetes.io/docs/tasks/inject-data-application/define-interdependent-environment-variables/ */
const nodeIP = '$(NODE_IP)'

export const daemonSet: Artifact = (facts) => {
  const { spec, windows } = facts
  const { network, join, artifacts } = spec
  const { image } = network.flannel
  if (!runsAsPods(network) || image === undefined) return undefined
  const { dataDirectory, containerId } = reservationOf(network)
  return {
    id: 'cluster-flannel-daemonset',
    path: 'cluster/22-flannel-windows.yaml',
    summary: `flanneld as a DaemonSet on nodes with ${windows.name}; it writes the CNI configuration of the node.`,
    body: {
      kind: 'template',
      template: 'cni/flannel/daemonset.yaml.hbs',
      view: {
        name: `winnode-flannel-${windowsName(windows.id)}`,
        build: windowsVersion(windows),
        image: lockedImage(image, artifacts),
        overlay: network.mode === 'overlay',
        network: network.name,
        netConf: JSON.stringify(netConfOf(facts)),
        conflist: JSON.stringify(conflistOf(facts, `${nodeIP}/32`)),
        conflistPath,
        subnetFile: paths.subnetFile,
        reservations: dataDirectory,
        owner: containerId,
        hostLocal,
        ...podKubeconfig('flannel', join.endpoint),
      },
    },
    settings: { ...reasonsFor('kube-proxy DaemonSet'), ...daemonSetSettings },
  }
}

/** The conf of an earlier boot is removed before the kubelet starts, because its network is gone: the pod writes it again. */
export function beforeKubelet({ spec: { network } }: Facts): readonly DraftStep[] {
  if (!runsAsPods(network)) return []
  return inPhase('boot', [
    { kind: 'pluginFile', id: 'flannel-conf', path: conflistPath, eachBoot: true },
    { kind: 'pluginFile', id: 'flannel-subnet', path: paths.subnetFile, eachBoot: false },
    {
      kind: 'pluginNetwork',
      id: 'flannel-network',
      ...reservationOf(network),
      ...(network.mode === 'overlay' ? { fact: 'sourceVip' as const } : {}),
    },
  ])
}
