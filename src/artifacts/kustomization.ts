// cluster/kustomization.yaml: the manifests of a bundle, for kubectl apply -k and for GitOps.
import { listed } from '../cni/readme-part.ts'
import { reasonsFor } from '../matrix/reasons.ts'
import type { PlannedFile } from '../model/plan.ts'

const folder = 'cluster/'

/** Paths of the manifests that a cluster applies: not the patches in `cluster/linux-side`. */
export const clusterManifest = /^cluster\/\d\d-[^/]+\.yaml$/

/** `files`: the files of the bundle below `cluster/`. */
export function kustomization(files: readonly PlannedFile[]): PlannedFile {
  return {
    id: 'cluster-kustomization',
    path: `${folder}kustomization.yaml`,
    summary: 'The manifests as one kustomization.',
    body: {
      kind: 'template',
      template: 'cluster/kustomization.yaml.hbs',
      view: {
        resources: listed(files, clusterManifest).map(({ path }) => ({
          file: path.slice(folder.length),
        })),
      },
    },
    settings: reasonsFor('kustomization'),
  }
}
