// Sandbox (pause) images: which tags have content for which Windows build.
import type { Ranged, SandboxRepository, Sourced, SandboxTag } from '../model/rows.ts'
import { compareVersions, inRange } from './version.ts'

const checked = '2026-11-20'

/** Windows builds by the names that the tags of base images use. */
const ws2019 = 17763
const ws2022 = 20348
const ws2025 = 26100
const [v1903, v1909, v2004, v20H2] = [18362, 18363, 19041, 19042]

/** The first place is what kubeadm asks for; the second is signed. */
export const sandboxRepositories: readonly SandboxRepository[] = [
  {
    registry: 'registry.k8s.io',
    repository: 'pause',
    signed: false,
    tags: [
      { tag: '3.1', builds: [] },
      { tag: '3.2', builds: [] },
      { tag: '3.3', builds: [] },
      { tag: '3.4', builds: [ws2019, v1903, v1909, v2004] },
      { tag: '3.4.1', builds: [ws2019, v1903, v1909, v2004, v20H2] },
      { tag: '3.5', builds: [ws2019, v1903, v1909, v2004, v20H2] },
      { tag: '3.6', builds: [ws2019, v1903, v1909, v2004, v20H2, ws2022] },
      { tag: '3.7', builds: [ws2019, v20H2, ws2022] },
      { tag: '3.8', builds: [ws2019, v20H2, ws2022] },
      { tag: '3.9', builds: [ws2019, ws2022] },
      { tag: '3.10', builds: [ws2019, ws2022] },
      { tag: '3.10.1', builds: [ws2019, ws2022] },
      { tag: '3.10.2', builds: [ws2019, ws2022, ws2025] },
    ],
    see: 'https://github.com/kubernetes/kubernetes/blob/master/build/pause/CHANGELOG.md',
    checked,
    note: 'that 3.10.2 keeps the two older builds is inferred from its base image',
  },
  {
    registry: 'mcr.microsoft.com',
    repository: 'oss/v2/kubernetes/pause',
    signed: true,
    tags: [
      { tag: '3.6', builds: [ws2019, ws2022] },
      { tag: '3.10.1', builds: [ws2019, ws2022] },
      { tag: '3.10.1-3', builds: [ws2019, ws2022, ws2025] },
      { tag: '3.10.2', builds: [ws2019, ws2022, ws2025] },
    ],
    see: 'https://github.com/kubernetes-sigs/image-builder/pull/1985',
    checked,
    note: 'the two older builds are inferred from the same tags of registry.k8s.io',
  },
  {
    registry: 'mcr.microsoft.com',
    repository: 'oss/kubernetes/pause',
    signed: true,
    tags: [
      // https://github.com/kubernetes-sigs/sig-windows-tools/issues/116
      { tag: '1.3.0', builds: [ws2019, v1903, v1909] },
      // https://github.com/kubernetes/kubernetes/pull/95419
      { tag: '1.4.0', builds: [ws2019, v1903, v1909, v2004] },
      // https://github.com/k0sproject/k0s/pull/642
      { tag: '1.4.1', builds: [ws2019, v1903, v1909, v2004] },
      { tag: '3.4.1', builds: [ws2019, v1903, v1909, v2004, v20H2] },
      { tag: '3.5', builds: [ws2019, v1903, v1909, v2004, v20H2] },
      { tag: '3.6', builds: [ws2019, v1903, v1909, v2004, v20H2, ws2022] },
      { tag: '3.9', builds: [ws2019, ws2022] },
      { tag: '3.10', builds: [ws2019, ws2022] },
    ],
    see: 'https://kubernetes.io/docs/concepts/windows/intro/#pause-container',
    checked,
    note: 'the builds are inferred from the same tags of registry.k8s.io',
  },
]

/** What older guides and tools name: in no repository did these get an entry for a newer Windows. */
const olderRepositories: readonly SandboxRepository[] = [
  {
    registry: 'k8s.gcr.io',
    repository: 'pause',
    signed: false,
    tags: [
      { tag: '3.1', builds: [] },
      { tag: '3.2', builds: [] },
      { tag: '3.3', builds: [] },
      { tag: '3.4.1', builds: [ws2019, v1903, v1909, v2004] },
      { tag: '3.5', builds: [ws2019, v1903, v1909, v2004, v20H2] },
      { tag: '3.6', builds: [ws2019, v1903, v1909, v2004, v20H2, ws2022] },
      { tag: '3.7', builds: [ws2019, v20H2, ws2022] },
      { tag: '3.8', builds: [ws2019, v20H2, ws2022] },
      { tag: '3.9', builds: [ws2019, ws2022] },
    ],
    see: 'https://kubernetes.io/blog/2023/02/06/k8s-gcr-io-freeze-announcement/',
    checked,
    note: 'the images of registry.k8s.io as far as they were copied before the freeze',
  },
  {
    registry: 'mcr.microsoft.com',
    repository: 'k8s/core/pause',
    signed: true,
    tags: [
      { tag: '1.0.0', builds: [ws2019] },
      { tag: '1.2.0', builds: [ws2019, v1903] },
    ],
    see: 'https://github.com/kubernetes/kubernetes/issues/87339',
    checked,
    note: 'the build of Windows Server 2019 is inferred; nothing newer than 1903 is known',
  },
]

export const defaultSandboxRepository = 'registry.k8s.io/pause'

/** The first tag from `asked` on that has an entry for the build in the first repository. */
export function sandboxTagFor(build: number, asked: string): string | undefined {
  return sandboxRepositories[0]?.tags.find(
    ({ tag, builds }) => compareVersions(tag, asked) >= 0 && builds.includes(build),
  )?.tag
}

/** Whether the sandbox leaves RPC port 135 to the pod, which may want it. */
export const freesRpcPort: Ranged & Sourced = {
  range: '>=3.8',
  see: 'https://github.com/kubernetes/kubernetes/blob/master/build/pause/CHANGELOG.md',
  checked,
}

export function leavesRpcPort(tag: string): boolean {
  return inRange(tag, freesRpcPort.range)
}

export function findSandboxRepository(
  registry: string,
  repository: string,
): SandboxRepository | undefined {
  return [...sandboxRepositories, ...olderRepositories].find(
    (row) => row.registry === registry && row.repository === repository,
  )
}

export function findSandboxTag(row: SandboxRepository, tag: string): SandboxTag | undefined {
  return row.tags.find((entry) => entry.tag === tag)
}
