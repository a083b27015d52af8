// Add-ons that run as HostProcess pods.
import type { NodeSpec } from '../model/spec.ts'

interface HostProcessAddOn {
  /** The field that enables it. */
  readonly field: readonly string[]
  readonly title: string
}

export function hostProcessAddOns({ cluster, kubeProxy }: NodeSpec): readonly HostProcessAddOn[] {
  const addOns = [
    [cluster.windowsExporter.enabled, 'windowsExporter', 'enabled', 'windows_exporter'],
    [
      cluster.fluentBit.enabled && cluster.fluentBit.eventLogs.length > 0,
      'fluentBit',
      'eventLogs',
      'Fluent Bit',
    ],
    [cluster.smbCsi.enabled, 'smbCsi', 'enabled', 'the SMB CSI driver'],
    [cluster.imagePull.images.length > 0, 'imagePull', 'images', 'the image pull'],
  ] as const
  return [
    ...(kubeProxy.runsAs === 'hostProcess'
      ? [{ field: ['kubeProxy', 'runsAs'], title: 'kube-proxy' }]
      : []),
    ...addOns.flatMap(([on, group, name, title]) =>
      on ? [{ field: ['cluster', group, name], title }] : [],
    ),
  ]
}
