// Sandbox (pause) images: the Windows builds that each tag supports.
import tables from '#tables'
import type { Ranged, SandboxRepository, SandboxTag, Sourced } from '../model/tables.ts'
import { compareVersions, inRange } from './version.ts'

const { repositories, superseded } = tables['sandbox-images']

export const sandboxRepositories = repositories

export const defaultSandboxRepository = 'registry.k8s.io/pause'

/** The first tag from `asked` on that supports the build in the first repository. */
export function sandboxTagFor(build: number, asked: string): string | undefined {
  return sandboxRepositories[0].tags.find(
    ({ tag, builds }) => compareVersions(tag, asked) >= 0 && builds.includes(build),
  )?.tag
}

/** Whether the sandbox leaves RPC port 135 to the pod, which may want it. */
export const freesRpcPort: Ranged & Sourced = {
  range: '>=3.8',
  see: 'https://github.com/kubernetes/kubernetes/blob/master/build/pause/CHANGELOG.md',
  checked: '2026-11-20',
}

export function leavesRpcPort(tag: string): boolean {
  return inRange(tag, freesRpcPort.range)
}

export function findSandboxRepository(
  registry: string,
  repository: string,
): SandboxRepository | undefined {
  return [...sandboxRepositories, ...superseded].find(
    (row) => row.registry === registry && row.repository === repository,
  )
}

export function findSandboxTag(row: SandboxRepository, tag: string): SandboxTag | undefined {
  return row.tags.find((entry) => entry.tag === tag)
}
