// Where each file that a node fetches is published, and what its publisher says of its bytes.
import type { ArtifactSource } from '../model/artifact-source.ts'
import { kubernetesSources } from './artifact-sources-kubernetes.ts'
import { networkSources } from './artifact-sources-network.ts'

const checked = '2026-11-20'

/** Default addresses, without a slash at the end; what hangs below keeps its path on a mirror. */
export const artifactBases: Readonly<Record<string, string>> = {
  kubernetes: 'https://dl.k8s.io',
  github: 'https://github.com',
  nssm: 'https://nssm.cc',
}

export const artifactSources: readonly ArtifactSource[] = [
  ...kubernetesSources,
  {
    id: 'containerd',
    summary: 'The container runtime, its client and its shim: an archive with everything in bin/.',
    field: 'containerd.version',
    base: 'github',
    path: 'containerd/containerd/releases/download/v{version}/containerd-{version}-windows-amd64.tar.gz',
    checksum: { kind: 'suffix', suffix: '.sha256sum', shape: 'named' },
    licence: 'Apache-2.0',
    see: 'https://github.com/containerd/containerd/blob/main/docs/getting-started.md',
    checked,
  },
  {
    id: 'crictl',
    summary: 'The client of the runtime’s CRI: an archive of crictl.exe.',
    field: 'containerd.crictl',
    base: 'github',
    path: 'kubernetes-sigs/cri-tools/releases/download/v{version}/crictl-v{version}-windows-amd64.tar.gz',
    checksum: { kind: 'suffix', suffix: '.sha256', shape: 'bare' },
    licence: 'Apache-2.0',
    see: 'https://github.com/kubernetes-sigs/cri-tools/blob/master/hack/release.sh',
    checked,
  },
  ...networkSources,
  {
    id: 'nssm',
    summary: 'Runs a program as a Windows service: an archive with win64/nssm.exe.',
    base: 'nssm',
    path: 'ci/nssm-{version}.zip',
    // Calico mirrors there what is "flaky to retrieve", and checks it with the same digest.
    copy: 'https://storage.googleapis.com/public-calico-third-party-deps/nssm/nssm-{version}.zip',
    checksum: {
      kind: 'known',
      version: '2.24-103-gdee49fc',
      sha256: 'dd65d65d805ce646148d7ba18a9fcd1a1e8402f9e3822981252a6544136aad22',
    },
    licence: 'LicenseRef-public-domain',
    see: 'https://github.com/projectcalico/calico/blob/v3.32.1/node/Makefile',
    checked,
  },
  {
    id: 'windows-exporter',
    summary: 'Metrics of the machine for Prometheus: one program.',
    base: 'github',
    path: 'prometheus-community/windows_exporter/releases/download/v{version}/windows_exporter-{version}-amd64.exe',
    checksum: {
      kind: 'release',
      path: 'prometheus-community/windows_exporter/releases/download/v{version}/sha256sums.txt',
      shape: 'named',
    },
    licence: 'MIT',
    see: 'https://github.com/prometheus-community/windows_exporter/blob/master/.github/workflows/release.yml',
    checked,
  },
]

/** Only ids of the table are asked for; another one is a slip of ours. */
export function artifactSource(id: string): ArtifactSource {
  const source = artifactSources.find((row) => row.id === id)
  if (!source) throw new Error(`no artefact is called ${id}`)
  return source
}
