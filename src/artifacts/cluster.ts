// What the cluster needs beside the node: identities, permissions and RuntimeClasses.
import { cniOf } from '../cni/index.ts'
import { podKubeconfig, usesSecret } from '../cni/kubeconfig.ts'
import { kubeProxyRuns } from '../cni/kube-proxy.ts'
import { fileOf } from '../components/config-table.ts'
import { kubeProxy } from '../components/kube-proxy.ts'
import { lockedImage } from '../model/locked-image.ts'
import { hostProcessImage } from '../matrix/host-process-image.ts'
import { layout } from '../model/layout.ts'
import type { Artifact } from '../model/artifact.ts'
import type { Facts } from '../model/facts.ts'
import type { PlannedFile } from '../model/plan.ts'
import { reasonsFor } from '../matrix/reasons.ts'
import { windowsName, windowsVersion } from '../matrix/windows.ts'

export const kubeProxyAccount: Artifact = ({ spec }) =>
  kubeProxyRuns(spec) !== false
    ? {
        id: 'cluster-kube-proxy',
        path: 'cluster/10-kube-proxy.yaml',
        summary: 'The identity of kube-proxy, bound to system:node-proxier.',
        body: {
          kind: 'template',
          template: 'cluster/kube-proxy.yaml.hbs',
          view: {
            service: kubeProxyRuns(spec) === 'service',
            secret: kubeProxyRuns(spec) === 'service' && usesSecret(spec.kubeProxy.credentials),
          },
        },
        settings: reasonsFor('service accounts'),
      }
    : undefined

/**
 * kube-proxy as HostProcess pods: where the profile asks for it, and with a plugin whose DaemonSet creates the HNS
 * network. A service of the node would wait for that, and one called kube-proxy is even removed at each start of the
 * DaemonSet.
 * https://github.com/projectcalico/calico/blob/v3.32.1/node/windows-packaging/CalicoWindows/uninstall-calico-hpc.ps1
 */
export const kubeProxyDaemonSet: Artifact = (facts) => {
  const { spec, windows } = facts
  if (kubeProxyRuns(spec) !== 'daemonSet') return undefined
  const name = `winnode-kube-proxy-${windowsName(windows.id)}`
  return {
    id: 'cluster-kube-proxy-daemonset',
    path: 'cluster/11-kube-proxy-windows.yaml',
    summary: `kube-proxy as a DaemonSet on nodes with ${windows.name}; it runs the kube-proxy.exe of the node.`,
    body: {
      kind: 'template',
      template: 'cluster/kube-proxy-daemonset.yaml.hbs',
      view: {
        name,
        build: windowsVersion(windows),
        image: lockedImage(hostProcessImage, spec.artifacts),
        program: `${layout.programs}\\kube-proxy.exe`,
        verbosity: String(spec.kubeProxy.verbosity),
        // The start script fills in the kubeconfig that it writes.
        config: JSON.stringify({ ...fileOf(kubeProxy, facts), clientConnection: {} }),
        ...podKubeconfig('kube-proxy', spec.join.endpoint),
        ...reservationOf(facts),
      },
    },
    settings: reasonsFor('kube-proxy DaemonSet'),
  }
}

/** The folder of the reserved addresses, and the owner of kube-proxy's; empty if it is an endpoint's. */
function reservationOf({ spec: { network } }: Facts) {
  const reserved = cniOf(network.cni).sourceVip?.(network)
  return reserved
    ? {
        reservations: `${reserved.dataDirectory}\\${reserved.network}`,
        owner: reserved.containerId,
      }
    : { reservations: '', owner: '' }
}

/** kubeadm creates the same in its clusters; without kubeadm they are missing. */
export const bootstrapPermissions: Artifact = ({ spec }) =>
  spec.join.method === 'bootstrapKubeconfig'
    ? {
        id: 'cluster-bootstrap',
        path: 'cluster/05-bootstrap.yaml',
        summary:
          'Lets kubelets with a bootstrap token of the group system:bootstrappers:winnode ask for certificates.',
        body: { kind: 'template', template: 'cluster/bootstrap.yaml.hbs', view: {} },
        settings: reasonsFor('TLS bootstrap bindings'),
      }
    : undefined

export const runtimeClasses: Artifact = (facts) =>
  isolations(facts).map((isolation) => runtimeClass(facts, isolation))

/** Of containerd, for each isolation. */
export const handlers = {
  process: 'runhcs-wcow-process',
  hyperv: 'runhcs-wcow-hypervisor',
} as const
type Isolation = keyof typeof handlers

const suffixOf = (isolation: Isolation) => (isolation === 'process' ? '' : '-hyperv')

/** None for a provider's image: whether its containerd has the handlers is not known. */
function isolations({ spec }: Facts): readonly Isolation[] {
  if (cniOf(spec.network.cni).image) return []
  return spec.isolation.hyperV ? ['process', 'hyperv'] : ['process']
}

/** The RuntimeClasses of a bundle, each with its handler. */
export function runtimeClassNames(facts: Facts) {
  return isolations(facts).map((isolation) => ({
    name: `${windowsName(facts.windows.id)}${suffixOf(isolation)}`,
    handler: handlers[isolation],
  }))
}

function runtimeClass({ spec, windows }: Facts, isolation: Isolation): PlannedFile {
  const suffix = suffixOf(isolation)
  return {
    id: `runtime-class${suffix}`,
    path: `cluster/30-runtime-class${suffix}.yaml`,
    summary: `Schedules pods on nodes with ${windows.name}, with ${isolation} isolation.`,
    body: {
      kind: 'template',
      template: 'cluster/runtime-class.yaml.hbs',
      view: {
        name: `${windowsName(windows.id)}${suffix}`,
        handler: handlers[isolation],
        hyperV: isolation === 'hyperv',
        build: windowsVersion(windows),
        tolerations: spec.kubelet.taints.map(({ key, value, effect }) => ({ key, value, effect })),
      },
    },
    settings: reasonsFor('runtime classes'),
  }
}
