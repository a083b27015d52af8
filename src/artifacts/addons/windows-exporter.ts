// windows_exporter as a DaemonSet of HostProcess pods, and a ServiceMonitor and alerts for the Prometheus Operator.
import { cniOf } from '../../cni/index.ts'
import { kubeProxyRuns } from '../../cni/kube-proxy.ts'
import { lockedImage } from '../../model/locked-image.ts'
import { reasonsFor } from '../../matrix/reasons.ts'
import type { Artifact } from '../../model/artifact.ts'
import { layout } from '../../model/layout.ts'
import type { NodeSpec } from '../../model/spec.ts'
import { windowsExporterPort } from '../../addons/windows-exporter.ts'

/**
 * Flags, not a file: a change starts the pods again, and a flag beats a key of the file in any case. Each is given once and with =.
 * https://github.com/prometheus-community/windows_exporter/blob/v0.31.8/internal/config/config.go
 */
function flagsOf(spec: NodeSpec): readonly string[] {
  const { cluster, host, network } = spec
  const { flags = {} } = cniOf(network.cni)
  const collectors = [
    '[defaults]',
    ...new Set(cluster.windowsExporter.collectors),
    ...(host.publishStatus ? ['textfile'] : []),
  ]
  const services = [
    'containerd',
    'kubelet',
    ...(kubeProxyRuns(spec) === 'service' ? ['kube-proxy'] : []),
    ...Object.keys(flags),
  ]
  return [
    `--collectors.enabled=${collectors.join(',')}`,
    `--collector.service.include=${services.join('|')}`,
    // Its default is a folder of the container.
    ...(host.publishStatus ? [`--collector.textfile.directories=${layout.winnode}\\metrics`] : []),
  ]
}

/** On metrics that the reconcile loop writes; explain shows `means` and `fix`. https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/ */
export const alerts = [
  {
    alert: 'WindowsNodeUnhealthy',
    expr: 'winnode_healthy == 0',
    for: '10m',
    summary: '{{ $labels.instance }}: steps or health checks of winnode fail',
    means: 'Steps or health checks of winnode fail on a node.',
    fix: 'Run Test-WinNode.ps1 on the node; the condition WinNodeHealthy of its Node names what fails.',
  },
  {
    alert: 'WindowsNodeLoopStopped',
    expr: 'time() - winnode_run_timestamp_seconds > 2 * 3600',
    for: '5m',
    summary: '{{ $labels.instance }}: no complete run of the reconcile loop for two hours',
    means: 'The reconcile loop of a node made no complete run for two hours.',
    fix: 'Run Test-WinNode.ps1 on the node, and read the logs in C:\\var\\log\\winnode: the loop is suspended, does not run, or a check at its start refuses.',
  },
  {
    alert: 'WindowsNodesOfSeveralBundles',
    expr: 'count by (bundle) (count by (bundle, digest) (winnode_bundle_info)) > 1',
    for: '1d',
    summary: 'nodes of {{ $labels.bundle }} have different bundles',
    means: 'Nodes of one profile have different bundles, such as older ones.',
    fix: 'Run winnode drift with --kubeconfig, which names the nodes; run Install-WinNode.ps1 and Join-WinNode.ps1 of the current bundle on them.',
  },
]

const pairsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([key, value]) => ({ key, value }))

export const windowsExporter: Artifact = ({ spec }) => {
  const { enabled, image, serviceMonitor, prometheusRule } = spec.cluster.windowsExporter
  if (!enabled) return undefined
  return [
    {
      id: 'cluster-windows-exporter',
      path: 'cluster/50-windows-exporter.yaml',
      summary: 'windows_exporter as a DaemonSet on Windows nodes.',
      body: {
        kind: 'template',
        template: 'cluster/windows-exporter.yaml.hbs',
        view: {
          image: lockedImage(image, spec.artifacts),
          flags: flagsOf(spec).map((flag) => ({ flag })),
          port: windowsExporterPort,
        },
      },
      settings: reasonsFor('windows_exporter'),
    },
    ...(serviceMonitor === undefined
      ? []
      : [
          {
            id: 'cluster-windows-exporter-monitor',
            path: 'cluster/51-windows-exporter-monitor.yaml',
            summary: 'ServiceMonitor with which the Prometheus Operator finds windows_exporter.',
            body: {
              kind: 'template' as const,
              template: 'cluster/windows-exporter-monitor.yaml.hbs',
              view: {
                port: windowsExporterPort,
                labels: pairsOf(serviceMonitor.labels),
              },
            },
            settings: reasonsFor('windows_exporter ServiceMonitor'),
          },
        ]),
    ...(prometheusRule === undefined
      ? []
      : [
          {
            id: 'cluster-windows-exporter-rules',
            path: 'cluster/53-windows-exporter-rules.yaml',
            summary: 'PrometheusRule with alerts on the health of nodes.',
            body: {
              kind: 'template' as const,
              template: 'cluster/windows-exporter-rules.yaml.hbs',
              view: {
                labels: pairsOf(prometheusRule.labels),
                alerts: alerts.map(({ alert, expr, for: time, summary }) => ({
                  alert,
                  expr,
                  for: time,
                  summary,
                })),
              },
            },
            settings: reasonsFor('windows_exporter PrometheusRule'),
          },
        ]),
  ]
}
