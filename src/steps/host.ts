// The machine itself: features, memory, clock, power, firewall.
import { cniOf } from '../cni/index.ts'
import { fileOf } from '../components/component.ts'
import { kubeProxy } from '../components/kube-proxy.ts'
import type { Facts } from '../model/facts.ts'
import { layout } from '../model/layout.ts'
import { inPhase, type DraftStep } from '../model/plan.ts'
import { kubeletPort, proxyHealthPort } from '../matrix/ports.ts'

/** Comes first: what restarts the machine. */
export function featureSteps({ spec }: Facts): readonly DraftStep[] {
  return inPhase('image', [
    ...spec.host.features.map((name) => ({
      kind: 'windowsFeature' as const,
      id: `feature-${name.toLowerCase()}`,
      restart: 'maybe' as const,
      name,
    })),
    ...(spec.host.pageFileMiB === undefined
      ? []
      : [
          {
            kind: 'pageFile' as const,
            id: 'page-file',
            restart: 'maybe' as const,
            path: 'C:\\pagefile.sys',
            sizeMiB: spec.host.pageFileMiB,
          },
        ]),
  ])
}

/** https://learn.microsoft.com/windows-hardware/customize/power-settings/configure-power-settings */
const highPerformance = '8c5e7fda-e8bf-4a96-9a85-a6e23a8c635c'

/**
 * Under which name events are read: this file of .NET Framework, which every Windows Server has, holds a message for
 * each number that is the event's own text. EventLog.CreateEventSource registers no more.
 * https://github.com/microsoft/referencesource/blob/master/System/services/monitoring/system/diagnosticts/EventLog.cs
 */
const eventSource = {
  kind: 'registryValue' as const,
  id: 'event-source',
  key: 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\EventLog\\Application\\winnode',
  name: 'EventMessageFile',
  type: 'ExpandString' as const,
  value: '%SystemRoot%\\Microsoft.NET\\Framework64\\v4.0.30319\\EventLogMessages.dll',
}

export function hostSteps(facts: Facts): readonly DraftStep[] {
  const { host } = facts.spec
  return inPhase('image', [
    eventSource,
    ...(host.powerPlan
      ? [{ kind: 'powerPlan' as const, id: 'power-plan', guid: highPerformance }]
      : []),
    ...(host.timeServers.length > 0
      ? [{ kind: 'timeService' as const, id: 'time-service', servers: host.timeServers }]
      : []),
    {
      kind: 'firewallRule',
      id: 'firewall-kubelet',
      name: 'winnode-kubelet',
      displayName: 'winnode: kubelet API',
      group: 'winnode',
      protocol: 'TCP',
      ports: String(kubeletPort),
      from: host.firewall.kubeletFrom,
    },
    ...healthPort(facts).map((port) => ({
      kind: 'firewallRule' as const,
      id: 'firewall-proxy-health',
      name: 'winnode-proxy-health',
      displayName: 'winnode: health of kube-proxy',
      group: 'winnode',
      protocol: 'TCP' as const,
      ports: port,
      from: host.firewall.healthFrom,
    })),
    ...(['TCP', 'UDP'] as const).map((protocol) => ({
      kind: 'firewallRule' as const,
      id: `firewall-node-ports-${protocol.toLowerCase()}`,
      name: `winnode-node-ports-${protocol.toLowerCase()}`,
      displayName: `winnode: node ports, ${protocol}`,
      group: 'winnode',
      protocol,
      ports: host.firewall.nodePortRange,
      from: host.firewall.nodePortsFrom,
    })),
    ...(host.defenderExclusions ? scanned(facts) : []).map((program) => ({
      kind: 'defenderExclusion' as const,
      id: `defender-${program.id}`,
      process: program.path,
    })),
  ])
}

/**
 * The port that others ask for the health of kube-proxy, or nothing where it answers this machine alone. An address
 * without a port gets the default. Antrea's agent answers at the same one.
 * SetDefaults_KubeProxyConfiguration in https://github.com/kubernetes/kubernetes/blob/master/pkg/proxy/apis/config/v1alpha1/defaults.go
 * https://github.com/antrea-io/antrea/blob/main/docs/network-requirements.md
 */
function healthPort(facts: Facts): readonly string[] {
  const { healthzBindAddress: bound } = fileOf(kubeProxy, facts)
  const address = cniOf(facts.spec.network.cni).kubeProxy && typeof bound === 'string' ? bound : ''
  if (/^(?:127\.|localhost|::1$|\[::1\])/.test(address)) return []
  return [/^(?:\[.*\]|[^:]*):(\d+)$/.exec(address)?.[1] ?? String(proxyHealthPort)]
}

/**
 * Whole paths, never folders or endings: what lies beside them is still scanned. The plugin's programs run
 * for each pod that starts; the image builder of Cluster API leaves out those of its plugins, too.
 * https://github.com/kubernetes-sigs/image-builder/blob/main/images/capi/ansible/windows/roles/runtimes/tasks/containerd.yml
 */
function scanned(facts: Facts): readonly { readonly id: string; readonly path: string }[] {
  const cni = cniOf(facts.spec.network.cni)
  const programs = cni
    .programs(facts)
    .flatMap((program) =>
      program.kind === 'file' ? [program.path] : program.members.map(({ path }) => path),
    )
  return [
    ...always,
    ...(cni.kubeProxy ? [{ id: 'kube-proxy', path: `${layout.programs}\\kube-proxy.exe` }] : []),
    ...programs
      .filter((path) => !path.endsWith('\\nssm.exe'))
      .map((path) => ({ id: baseOf(path), path })),
  ]
}

const baseOf = (path: string): string =>
  path.slice(path.lastIndexOf('\\') + 1).replace(/\.exe$/, '')

const always = [
  { id: 'containerd', path: `${layout.containerd}\\bin\\containerd.exe` },
  { id: 'shim', path: `${layout.containerd}\\bin\\containerd-shim-runhcs-v1.exe` },
  { id: 'kubelet', path: `${layout.programs}\\kubelet.exe` },
]
