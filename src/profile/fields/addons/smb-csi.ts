// Fields of the SMB CSI driver.
import * as v from 'valibot'
import { field, group, objectName, quantity, smbShare, subdomain } from '../../../model/field.ts'
import { smbCsiImage, smbRegistrarImage } from '../../../addons/smb-csi.ts'
import { image } from '../../../model/image-field.ts'

export const smbCsi = group(
  {
    enabled: field(v.boolean(), false, {
      what: 'Run the SMB CSI driver as a DaemonSet of HostProcess pods in kube-system.',
      why: 'Windows has no in-tree volume for file shares that containers can use. Do not use it beside another installation for Windows: both use one socket. See docs/around.md#smb-csi.',
      example: true,
    }),
    image: field(image, smbCsiImage, {
      what: 'HostProcess image of the SMB CSI driver.',
      why: 'Tags with -windows-hp contain no operating system and run on all builds; those without it contain Windows Server 2019 and 2022. Releases before 1.17.0 do not start: they lack a flag.',
      when: 'with cluster.smbCsi.enabled',
      example: 'registry.example.com/sig-storage/smbplugin:v1.20.3-windows-hp',
    }),
    registrarImage: field(image, smbRegistrarImage, {
      what: 'Image of csi-node-driver-registrar, which registers the driver with the kubelet.',
      why: 'The version is that of the manifest of the driver.',
      when: 'with cluster.smbCsi.enabled',
      example: 'registry.example.com/sig-storage/csi-node-driver-registrar:v2.17.0',
    }),
    csiDriver: field(v.boolean(), true, {
      what: 'Add the CSIDriver object smb.csi.k8s.io.',
      why: 'An installation of the driver for Linux nodes has it already: set `false` beside one.',
      when: 'with cluster.smbCsi.enabled',
      example: false,
    }),
    inlineVolumes: field(v.boolean(), false, {
      what: 'Allow inline volumes of pods, and let the driver read all Secrets of the cluster for them.',
      why: 'For StorageClasses and PersistentVolumes the kubelet reads the Secret, and the driver needs no permission.',
      when: 'with cluster.smbCsi.enabled',
      example: true,
    }),
    sources: field(
      v.pipe(
        v.array(
          v.strictObject({
            name: subdomain,
            source: smbShare,
            kind: v.optional(v.picklist(['PersistentVolume', 'StorageClass']), 'PersistentVolume'),
            secret: subdomain,
            secretNamespace: objectName(63),
            capacity: v.optional(quantity, '100Gi'),
          }),
        ),
        v.check(
          (list) => new Set(list.map(({ name }) => name)).size === list.length,
          'each name once',
        ),
      ),
      [],
      {
        what: 'Shares, each as a PersistentVolume or as a StorageClass.',
        why: 'The node resolves the name of the server, not the pod. A StorageClass needs the controller of the driver, from its installation for Linux. A profile has only the names of Secrets.',
        when: 'with cluster.smbCsi.enabled',
        example: [
          {
            name: 'files',
            source: '//files.example.com/share',
            secret: 'smb-files',
            secretNamespace: 'default',
          },
        ],
      },
    ),
  },
  'The SMB CSI driver, which mounts file shares in pods.',
)
