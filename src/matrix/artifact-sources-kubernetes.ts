// Where Kubernetes publishes its programs for Windows: one folder for each release.
import type { ArtifactSource } from '../model/artifact-source.ts'

/** Each has a digest beside it, without a name; Windows is built for amd64 only. */
const programs: readonly (readonly [id: string, summary: string, field?: string])[] = [
  ['kubelet', 'Runs the pods of the node.', 'kubernetes.version'],
  ['kube-proxy', 'Makes services reachable from the node.', 'kubernetes.kubeProxy'],
  ['kubeadm', 'Joins the node to its cluster.', 'kubernetes.kubeadm'],
  ['kubectl', 'The client of the API server.'],
  ['kubectl-convert', 'Moves manifests from one API version to another.'],
  ['kube-log-runner', 'Runs a program and writes its output to a file.', 'kubernetes.version'],
]

export const kubernetesSources: readonly ArtifactSource[] = programs.map(
  ([id, summary, field]) => ({
    id,
    summary,
    ...(field !== undefined && { field }),
    base: 'kubernetes',
    path: `release/v{version}/bin/windows/amd64/${id}.exe`,
    checksum: { kind: 'suffix', suffix: '.sha256', shape: 'bare' },
    licence: 'Apache-2.0',
    see:
      id === 'kube-log-runner'
        ? 'https://github.com/kubernetes-sigs/image-builder/blob/main/images/capi/ansible/windows/roles/kubernetes/defaults/main.yml'
        : 'https://kubernetes.io/releases/download/',
    checked: '2026-11-20',
  }),
)
