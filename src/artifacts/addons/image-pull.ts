// A DaemonSet for which the nodes pull images before a pod needs them.
import { lockedImage } from '../../model/locked-image.ts'
import { reasonsFor } from '../../matrix/reasons.ts'
import type { Artifact } from '../../model/artifact.ts'
import { hostProcessImage } from '../../matrix/host-process-image.ts'
import { windowsName, windowsVersion } from '../../matrix/windows.ts'

export const imagePull: Artifact = ({ spec, windows }) => {
  const { images, secrets } = spec.cluster.imagePull
  if (images.length === 0) return undefined
  const { taints } = spec.kubelet
  return {
    id: 'cluster-image-pull',
    path: 'cluster/60-image-pull.yaml',
    summary: `Images that nodes with ${windows.name} pull before a pod needs them.`,
    body: {
      kind: 'template',
      template: 'cluster/image-pull.yaml.hbs',
      view: {
        name: `winnode-image-pull-${windowsName(windows.id)}`,
        build: windowsVersion(windows),
        sleeper: lockedImage(hostProcessImage, spec.artifacts),
        images: [...new Set(images)].map((image, at) => ({
          name: `pull-${at + 1}`,
          image: lockedImage(image, spec.artifacts),
        })),
        secrets: secrets.map((name) => ({ name })),
        tolerations: taints.map(({ key, value, effect }) => ({ key, value, effect })),
      },
    },
    settings: reasonsFor('image pull'),
  }
}
