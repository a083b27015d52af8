// A CronJob on Linux nodes that compares the cluster with the profile.
import { lockedImage } from '../../model/locked-image.ts'
import { reasonsFor } from '../../matrix/reasons.ts'
import type { Artifact } from '../../model/artifact.ts'

export const driftCronJob: Artifact = ({ spec }) => {
  const { image, configMapName: name, schedule, selector } = spec.cluster.drift
  if (image === undefined) return undefined
  const labels = Object.entries(selector).map((pair) => pair.join('='))
  const args = [
    'drift',
    '/etc/winnode/profile/node.yaml',
    '--kubeconfig',
    '/etc/winnode/kubeconfig/config',
    ...(labels.length > 0 ? [`--selector=${labels.join(',')}`] : []),
  ]
  return {
    id: 'cluster-drift',
    path: 'cluster/80-drift.yaml',
    summary: 'A CronJob that compares the cluster with the profile, with permission to read.',
    body: {
      kind: 'template',
      template: 'cluster/drift.yaml.hbs',
      view: {
        image: lockedImage(image, spec.artifacts),
        args: args.map((arg) => ({ arg })),
        name,
        schedule,
      },
    },
    settings: reasonsFor('drift CronJob'),
  }
}
