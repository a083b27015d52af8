// Fields that choose versions: Windows, Kubernetes, containerd and the sandbox image.
import * as v from 'valibot'
import { windowsReleases } from '../../matrix/windows.ts'
import { exactVersion, field, group, open, version, whole } from './kinds.ts'

export const windows = group(
  {
    release: field(v.picklist(windowsReleases.map((row) => row.id)), 'ws2022', {
      what: 'The Windows Server release of the machine.',
      example: 'ws2025',
    }),
    revision: open(whole(0, 99_999), {
      what: 'The lowest update build revision (UBR) that the machines have: 4297 of 10.0.20348.4297.',
      why: 'Some revisions break container networking; the node checks it before the first change.',
      example: 4297,
    }),
  },
  'The operating system of the node.',
)

export const kubernetes = group(
  {
    version: open(version, {
      what: 'The version of the kubelet.',
      derived: 'the newest known patch of the newest minor without a known advisory',
      example: '1.36.5',
    }),
    apiServer: open(version, {
      what: 'The version of the API server that the node joins.',
      derived: 'the version of the kubelet',
      example: '1.36',
    }),
    kubeProxy: open(version, {
      what: 'The version of kube-proxy.',
      derived: 'the version of the kubelet',
    }),
    kubeadm: open(version, {
      what: 'The version of kubeadm that joins the node.',
      why: 'kubeadm belongs to the control plane: its version decides the format of the join configuration.',
      derived: 'the version of the API server',
    }),
  },
  'The Kubernetes components of the node, and the API server they talk to.',
)

export const containerd = group(
  {
    version: open(version, {
      what: 'The version of containerd.',
      derived:
        'the newest known patch of the newest line without a known advisory that the kubelet was tested with',
      example: '2.3',
    }),
    configVersion: open(v.picklist([2, 3, 4]), {
      what: 'The version of the format of config.toml.',
      derived: '2 before containerd 2.0, else 3, which every 2.x reads',
      example: 3,
    }),
    crictl: open(exactVersion, {
      what: 'The version of crictl.',
      derived: 'the newest known release of the kubelet’s minor or older',
    }),
  },
  'The container runtime.',
)

export const sandboxImage = open(
  v.pipe(
    v.string(),
    v.regex(
      /^[a-z0-9]+(?:[._-][a-z0-9]+)*(?::\d+)?(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)+(?::[\w][\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$/,
      'an image reference such as registry.k8s.io/pause:3.10.2',
    ),
  ),
  {
    what: 'The sandbox (pause) image of every pod.',
    why: 'It is a setting of containerd alone; the kubelet does not choose it.',
    derived:
      'the tag that kubeadm asks for, or the first newer one with an entry for the Windows release',
    example: 'mcr.microsoft.com/oss/v2/kubernetes/pause:3.10.2',
  },
)
