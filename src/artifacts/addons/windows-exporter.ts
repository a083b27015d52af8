// windows_exporter as a DaemonSet of HostProcess pods, and the ServiceMonitor with which Prometheus finds it.
import { cniOf } from '../../cni/index.ts'
import { kubeProxyRuns } from '../../cni/kube-proxy.ts'
import { lockedImage } from '../../downloads/download.ts'
import { reasonsFor } from '../../matrix/reasons.ts'
import { defineArtifact } from '../../model/artifact.ts'
import { layout } from '../../model/layout.ts'
import type { NodeSpec } from '../../model/spec.ts'
import { windowsExporterPort } from '../../model/windows-exporter.ts'

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

export const windowsExporter = defineArtifact({
  id: 'cluster-windows-exporter',
  plan: ({ spec }) => {
    const { enabled, image, serviceMonitor } = spec.cluster.windowsExporter
    if (!enabled) return []
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
                  labels: Object.entries(serviceMonitor.labels).map(([key, value]) => ({
                    key,
                    value,
                  })),
                },
              },
              settings: reasonsFor('windows_exporter ServiceMonitor'),
            },
          ]),
    ]
  },
})
