// Fields of versions: Windows, Kubernetes, containerd and the sandbox image.
import * as v from 'valibot'
import { parseImage } from '../../go/image-reference.ts'
import { otherNames, runsKubernetes, windowsReleases } from '../../matrix/windows.ts'
import { layout } from '../../model/layout.ts'
import { configVersions, windowsIds } from '../../model/choices.ts'
import { drivePath, exactVersion, field, group, open, version, whole } from '../../model/field.ts'

/** What other programs call a release that Kubernetes supports. */
const otherWords = [
  ...['1809', 'ws1809'].map(
    (word) => [word, 'ws2019', 'has the version number of Windows Server 2019'] as const,
  ),
  ...windowsReleases
    .filter((release) => release.channel === 'LTSC' && runsKubernetes(release))
    .flatMap((release) =>
      [release.name.toLowerCase(), ...otherNames(release)].map(
        (word) => [word, release.id, `is another name of ${release.id}`] as const,
      ),
    ),
]

export const windows = group(
  {
    release: field(v.picklist(windowsIds), 'ws2022', {
      what: 'Windows Server release of the machine.',
      why: 'It determines which sandbox and container images can run, and the network features. The node scripts refuse to install on another build.',
      example: 'ws2025',
      refused: new Map(
        otherWords.map(([word, id, reason]) => [
          word,
          {
            reason,
            instead: `Use ${id}.`,
            see: 'https://learn.microsoft.com/windows-server/get-started/windows-server-release-info',
          },
        ]),
      ),
    }),
    revision: open(whole(0, 99_999), {
      what: 'Lowest update build revision (UBR) of the machines: 4297 in 10.0.20348.4297.',
      why: 'Some revisions break container networking. If set, winnode reports it, and the node scripts refuse an older revision before the first change.',
      example: 4297,
    }),
  },
  'The operating system of the node.',
)

export const kubernetes = group(
  {
    version: open(version, {
      what: 'Version of the kubelet.',
      why: 'It can be up to three minors older than the API server, but not newer. A minor such as 1.36 means its newest known patch.',
      derived:
        'the newest known patch of the minor of the API server; if neither is set, of the newest minor with no known CVEs',
      example: '1.36.5',
    }),
    apiServer: open(version, {
      what: 'Version of the API server that the node joins.',
      why: 'Used to check version skew, and to select cluster-side manifests. kubectl version shows it as Server Version.',
      derived:
        'the kubelet version; if neither is set, the newest patch of the newest minor with no known CVEs',
      example: '1.36',
    }),
    kubeProxy: open(version, {
      what: 'Version of kube-proxy.',
      why: 'It determines the feature gates of kube-proxy. It must not be newer than the API server.',
      when: 'with a network plugin that needs kube-proxy',
      derived: 'the kubelet version',
      example: '1.36.5',
    }),
    kubeadm: open(version, {
      what: 'Version of kubeadm, which joins the node.',
      why: 'It should match the control plane; it determines the format of the join configuration.',
      when: 'with join.method kubeadm',
      derived: 'the API server version',
      example: '1.36.5',
    }),
  },
  'Kubernetes components of the node, and the API server that they connect to.',
)

export const containerd = group(
  {
    version: open(version, {
      what: 'Version of containerd.',
      why: 'Each Kubernetes minor needs a minimum version, and old lines cannot run images of newer Windows builds.',
      derived: 'the newest known patch of the long-term line',
      example: '2.3',
    }),
    configVersion: open(v.picklist(configVersions), {
      what: 'Version of the config.toml format.',
      why: 'containerd rejects a newer format than it supports, and ignores settings in the wrong place.',
      derived: '2 for containerd 1.x, 3 for 2.0 to 2.2, 4 from 2.3 on',
      example: 4,
    }),
    crictl: open(exactVersion, {
      what: 'Version of crictl, which pulls the sandbox image and cleans up on Reset.',
      derived: 'the newest known release that is not newer than the kubelet’s minor',
      example: '1.36.0',
    }),
    root: field(drivePath, layout.containerdRoot, {
      what: 'Folder of images, layers and container writes, for example on a data disk.',
      why: 'It uses most of a node’s disk space. The disk must be local, formatted with NTFS and attached at Install. On another drive than C:, the kubelet gets a separate imagefs.available threshold.',
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
    why: 'Only containerd uses it; the kubelet does not set it. Without a manifest for the Windows build, no pod starts.',
    derived:
      'kubeadm’s default tag, or the first newer one with a manifest for the Windows release',
    example: 'mcr.microsoft.com/oss/v2/kubernetes/pause:3.10.2',
  },
)
