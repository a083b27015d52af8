// Steps that configure Windows: features, page file, event source, port ranges, power plan, time service, firewall, Defender.
import { cniOf } from '../cni/index.ts'
import { kubeProxyRuns } from '../cni/kube-proxy.ts'
import { isLoopback, kubeletListener, proxyHealthListener } from '../components/listeners.ts'
import type { Facts } from '../model/facts.ts'
import { layout, systemDrive } from '../model/layout.ts'
import { firewallRule, inPhase, type DraftStep, type Opening } from '../model/plan.ts'
import { windowsExporterPort } from '../addons/windows-exporter.ts'

/** Steps that can require a restart; they come first. */
export function featureSteps({ spec }: Facts): readonly DraftStep[] {
  return inPhase('image', [
    ...spec.host.features.map((name) => ({
      kind: 'windowsFeature' as const,
      id: `feature-${name.toLowerCase()}`,
      restart: 'maybe' as const,
      name,
    })),
    spec.host.pageFileMiB !== undefined && {
      kind: 'pageFile',
      id: 'page-file',
      restart: 'maybe',
      path: 'C:\\pagefile.sys',
      sizeMiB: spec.host.pageFileMiB,
    },
  ])
}

/** https://learn.microsoft.com/windows-hardware/customize/power-settings/configure-power-settings */
const highPerformance = '8c5e7fda-e8bf-4a96-9a85-a6e23a8c635c'

/**
 * Registers the event source `winnode`. The message file belongs to .NET Framework, which every Windows Server has,
 * and formats each event ID as the event's own text. EventLog.CreateEventSource would register the same value.
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

/**
 * The image builder of Cluster API and OpenShift's operator both write this file; the first leaves vEthernet* out, the
 * second must have an empty list, so that vCenter gets the address of a node with an HNS network.
 * https://github.com/kubernetes-sigs/image-builder/blob/ae63061efb154adbbd4605958c506aae8fc1d03c/images/capi/ansible/windows/roles/providers/files/vmware/vmtools/tools.conf
 * https://github.com/openshift/windows-machine-config-operator/blob/0be4b9ccb94d8450f918724a93fb4c7d89d6eefe/docs/vsphere-golden-image.md
 */
const vmwareTools = {
  kind: 'vmwareTools' as const,
  id: 'vmware-tools',
  path: 'C:\\ProgramData\\VMware\\VMware Tools\\tools.conf',
}

/** At the join, because the image was installed on another disk. */
export function volumeSteps({ spec: { host } }: Facts): readonly DraftStep[] {
  return inPhase('beforeJoin', [
    host.expandSystemVolume && { kind: 'systemVolume', id: 'system-volume', drive: systemDrive },
  ])
}

/** Ports that the programs of every node serve, whatever the network plugin is. */
function openingsOf(facts: Facts): readonly Opening[] {
  const { cluster, host } = facts.spec
  const { kubeletFrom, healthFrom, metricsFrom, nodePortRange, nodePortsFrom } = host.firewall
  return [
    ...[
      { id: 'kubelet', what: 'kubelet API', from: kubeletFrom, listener: kubeletListener(facts) },
      {
        id: 'proxy-health',
        what: 'health of kube-proxy',
        from: healthFrom,
        listener: proxyHealthListener(facts),
      },
    ].flatMap(({ id, what, from, listener }) =>
      listener && !isLoopback(listener) ? [tcp(id, what, String(listener.port), from)] : [],
    ),
    ...(cluster.windowsExporter.enabled
      ? [
          tcp(
            'windows-exporter',
            'metrics of windows_exporter',
            String(windowsExporterPort),
            metricsFrom,
          ),
        ]
      : []),
    ...(['TCP', 'UDP'] as const).map((protocol) => ({
      id: `node-ports-${protocol.toLowerCase()}`,
      what: `node ports, ${protocol}`,
      protocol,
      ports: nodePortRange,
      from: nodePortsFrom,
    })),
  ]
}

function tcp(id: string, what: string, ports: string, from: readonly string[]): Opening {
  return { id, what, protocol: 'TCP', ports, from }
}

export function hostSteps(facts: Facts): readonly DraftStep[] {
  const { host } = facts.spec
  return inPhase('image', [
    eventSource,
    { kind: 'dynamicPorts', id: 'dynamic-ports', ports: host.dynamicPorts },
    ...host.excludedPorts.map(({ protocol, ports }) => ({
      kind: 'excludedPorts' as const,
      id: `excluded-ports-${protocol.toLowerCase()}-${ports}`,
      protocol,
      ports,
    })),
    host.vmwareExcludeNics !== undefined && {
      ...vmwareTools,
      excludeNics: host.vmwareExcludeNics,
    },
    host.powerPlan && { kind: 'powerPlan', id: 'power-plan', guid: highPerformance },
    host.timeServers.length > 0 && {
      kind: 'timeService',
      id: 'time-service',
      servers: host.timeServers,
    },
    ...openingsOf(facts).map(firewallRule),
    ...(host.defenderExclusions ? exclusionsOf(facts) : []),
  ])
}

/**
 * Programs and the folder of snapshots: containerd's layers of images, which Defender would scan for each container.
 * https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/staging/cse/windows/kubernetesfunc.ps1
 */
function exclusionsOf(facts: Facts) {
  const programs = excludedPrograms(facts).map(
    ({ id, path }) => ({ id, of: 'process', path }) as const,
  )
  const snapshots = `${facts.spec.containerd.root}\\io.containerd.snapshotter.v1.windows\\snapshots`
  return [...programs, { id: 'snapshots', of: 'folder', path: snapshots } as const].map((row) => ({
    kind: 'defenderExclusion' as const,
    ...row,
    id: `defender-${row.id}`,
  }))
}

/**
 * Programs to exclude, by full path: exclusions by folder or extension would also exclude other files. Programs
 * of the plugin are included because they run for each pod that starts, as in the image builder of Cluster API.
 * https://github.com/kubernetes-sigs/image-builder/blob/main/images/capi/ansible/windows/roles/runtimes/tasks/containerd.yml
 */
function excludedPrograms(facts: Facts): readonly { readonly id: string; readonly path: string }[] {
  const cni = cniOf(facts.spec.network.cni)
  const programs = (cni.programs?.(facts) ?? []).flatMap((program) =>
    program.kind === 'file' ? [program.path] : program.members.map(({ path }) => path),
  )
  return [
    ...onEveryNode,
    ...(kubeProxyRuns(facts.spec)
      ? [{ id: 'kube-proxy', path: `${layout.programs}\\kube-proxy.exe` }]
      : []),
    ...programs
      .filter((path) => path.endsWith('.exe') && !path.endsWith('\\nssm.exe'))
      .map((path) => ({ id: baseOf(path), path })),
  ]
}

const baseOf = (path: string): string =>
  path.slice(path.lastIndexOf('\\') + 1).replace(/\.exe$/, '')

const onEveryNode = [
  { id: 'containerd', path: `${layout.containerd}\\bin\\containerd.exe` },
  { id: 'shim', path: `${layout.containerd}\\bin\\containerd-shim-runhcs-v1.exe` },
  { id: 'kubelet', path: `${layout.programs}\\kubelet.exe` },
]
