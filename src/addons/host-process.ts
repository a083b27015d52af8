// HostProcess pods: the image of those that run a program from the node, and the add-ons that run as such pods.
import type { NodeSpec } from '../model/spec.ts'

/** A base image without programs: https://github.com/microsoft/windows-host-process-containers-base-image */
export const hostProcessImage =
  'mcr.microsoft.com/oss/kubernetes/windows-host-process-containers-base-image:v1.0.0'

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
