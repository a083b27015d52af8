// The node plugin of the SMB CSI driver for Windows nodes, its CSIDriver, and StorageClasses or PersistentVolumes for shares.
import { lockedImage } from '../../model/locked-image.ts'
import { reasonsFor } from '../../matrix/reasons.ts'
import type { Artifact } from '../../model/artifact.ts'
import { layout } from '../../model/layout.ts'
import type { NodeSpec } from '../../model/spec.ts'
import type { PlannedFile } from '../../model/plan.ts'

/** Backslashes are doubled in the publisher's manifest, too. */
const doubled = (path: string) => path.replaceAll('\\', '\\\\')

const plugin = `${layout.kubeletRoot}\\plugins\\smb.csi.k8s.io`
const socket = doubled(`${plugin}\\csi.sock`)
const endpoint = `unix://${socket}`

type Source = NodeSpec['cluster']['smbCsi']['sources'][number]

function viewOf({ kind, name, source, secret, secretNamespace, capacity }: Source) {
  return {
    isVolume: kind === 'PersistentVolume',
    name,
    source,
    secret,
    secretNamespace,
    capacity,
  }
}

function sourcesFile(sources: readonly Source[]): PlannedFile {
  return {
    id: 'cluster-smb-csi-sources',
    path: 'cluster/63-smb-csi-sources.yaml',
    summary: 'StorageClasses and PersistentVolumes for SMB shares.',
    body: {
      kind: 'template',
      template: 'cluster/smb-csi-sources.yaml.hbs',
      view: { sources: sources.map(viewOf) },
    },
    settings: reasonsFor('SMB CSI sources'),
  }
}

export const smbCsi: Artifact = ({ spec }) => {
  const { enabled, image, registrarImage, csiDriver, inlineVolumes, sources } = spec.cluster.smbCsi
  if (!enabled) return undefined
  return [
    {
      id: 'cluster-smb-csi',
      path: 'cluster/61-smb-csi.yaml',
      summary: 'The SMB CSI driver as a DaemonSet on Windows nodes.',
      body: {
        kind: 'template',
        template: 'cluster/smb-csi.yaml.hbs',
        view: {
          inlineVolumes,
          image: lockedImage(image, spec.artifacts),
          registrarImage: lockedImage(registrarImage, spec.artifacts),
          folder: `New-Item -ItemType Directory -Force -Path ${plugin}`,
          registrarArgs: [
            '--v=2',
            `--csi-address=${endpoint}`,
            `--kubelet-registration-path=${socket}`,
            `--plugin-registration-path=${doubled(`${layout.kubeletRoot}\\plugins_registry\\`)}`,
          ].map((arg) => ({ arg })),
          args: [
            '--v=2',
            `--endpoint=${endpoint}`,
            '--nodeid=$(KUBE_NODE_NAME)',
            '--enable-windows-host-process=true',
            '--remove-smb-mapping-during-unmount=true',
          ].map((arg) => ({ arg })),
        },
      },
      settings: reasonsFor('SMB CSI driver'),
    },
    ...(csiDriver
      ? [
          {
            id: 'cluster-smb-csi-driver',
            path: 'cluster/62-smb-csi-driver.yaml',
            summary: 'The CSIDriver object of the SMB CSI driver.',
            body: {
              kind: 'template' as const,
              template: 'cluster/smb-csi-driver.yaml.hbs',
              view: { inlineVolumes },
            },
            settings: reasonsFor('SMB CSIDriver'),
          },
        ]
      : []),
    ...(sources.length > 0 ? [sourcesFile(sources)] : []),
  ]
}
