// Fields that choose versions: Windows, Kubernetes, containerd and the sandbox image.
import * as v from 'valibot'
import { parseImage } from '../../go/image-reference.ts'
import { layout } from '../../model/layout.ts'
import { configVersions, windowsIds } from '../../model/tables.ts'
import { drivePath, exactVersion, field, group, open, version, whole } from '../../model/field.ts'

export const windows = group(
  {
    release: field(v.picklist(windowsIds), 'ws2022', {
      what: 'The Windows Server release of the machine.',
      why: 'It decides which sandbox and container images can run, and what the network can do; the node refuses to install on another build.',
      example: 'ws2025',
    }),
    revision: open(whole(0, 99_999), {
      what: 'The lowest update build revision (UBR) that the machines have: 4297 of 10.0.20348.4297.',
      why: 'Some revisions break container networking. With it winnode can tell so here, and the node refuses an older one before its first change.',
      example: 4297,
    }),
  },
  'The operating system of the node.',
)

export const kubernetes = group(
  {
    version: open(version, {
      what: 'The version of the kubelet.',
      why: 'It may be up to three minors older than the API server, and never newer. A line such as 1.36 means its newest known patch.',
      derived: 'the newest known patch of the newest minor without a known advisory',
      example: '1.36.5',
    }),
    apiServer: open(version, {
      what: 'The version of the API server that the node joins.',
      why: 'Nothing is installed by it: a kubelet or kube-proxy that is newer, or much older, is refused. kubectl version says it, as Server Version.',
      derived: 'the version of the kubelet',
      example: '1.36',
    }),
    kubeProxy: open(version, {
      what: 'The version of kube-proxy.',
      why: 'It decides which feature gates kube-proxy gets. It may not be newer than the API server.',
      when: 'where the network plugin leaves services to kube-proxy',
      derived: 'the version of the kubelet',
      example: '1.36.5',
    }),
    kubeadm: open(version, {
      what: 'The version of kubeadm that joins the node.',
      why: 'kubeadm belongs to the control plane: its version decides the format of the join configuration.',
      when: 'with join.method kubeadm',
      derived: 'the version of the API server',
      example: '1.36.5',
    }),
  },
  'The Kubernetes components of the node, and the API server they talk to.',
)

export const containerd = group(
  {
    version: open(version, {
      what: 'The version of containerd.',
      why: 'Each Kubernetes minor needs a minimum version, and old lines cannot run images of newer Windows builds.',
      derived: 'the newest known patch of the long-term line',
      example: '2.3',
    }),
    configVersion: open(v.picklist(configVersions), {
      what: 'The version of the format of config.toml.',
      why: 'containerd refuses a format newer than it knows, and ignores settings that stand in the place of another format.',
      derived: '2 for containerd 1.x, 3 for 2.0 to 2.2, 4 from 2.3 on',
      example: 4,
    }),
    crictl: open(exactVersion, {
      what: 'The version of crictl, which pulls the sandbox image and cleans up on Reset.',
      derived: 'the newest known release of the kubelet’s minor or older',
      example: '1.36.0',
    }),
    root: field(drivePath, layout.containerdRoot, {
      what: 'The folder of images and layers, and of what containers write; on a data disk, for example.',
      why: 'It is most of what a node keeps. The disk must be a local one with NTFS, and there at Install; on another drive than C: the kubelet gets a threshold of its own for it.',
      example: 'D:\\containerd',
    }),
  },
  'The container runtime.',
)

export const sandboxImage = open(
  v.pipe(
    v.string(),
    v.check(
      (image) => parseImage(image) !== undefined,
      'an image reference such as registry.k8s.io/pause:3.10.2',
    ),
  ),
  {
    what: 'The sandbox (pause) image of every pod.',
    why: 'It is a setting of containerd alone; the kubelet does not choose it. One without an entry for the Windows build keeps every pod from starting.',
    derived:
      'the tag that kubeadm asks for, or the first newer one with an entry for the Windows release',
    example: 'mcr.microsoft.com/oss/v2/kubernetes/pause:3.10.2',
  },
)
