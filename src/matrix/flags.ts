// Flags that the kubelet and kube-proxy of a version register on Windows.
import { ownOf } from '../model/json.ts'
import type { Flag } from '../model/config-rows.ts'
import { minorsWithTables, tablesFor } from './minors.ts'

export const kubePrograms = ['kubelet', 'kube-proxy'] as const
export type KubeProgram = (typeof kubePrograms)[number]

/** Without dashes; `undefined` if the version does not have the flag. */
export function flagIn(program: KubeProgram, name: string, version: string): Flag | undefined {
  const flags = tablesFor(version).flags[program] ?? {}
  return ownOf(flags, name)
}

/** Whether any minor has the flag. */
export function isFlagOf(program: KubeProgram, name: string): boolean {
  return minorsWithTables.some((minor) => flagIn(program, name, minor) !== undefined)
}

/** The minors whose flags are known, oldest first. */
export function minorsWithFlags(program: KubeProgram): readonly string[] {
  return minorsWithTables.filter((minor) => tablesFor(minor).flags[program])
}

/** The names of the flags of every minor. */
export function flagNames(program: KubeProgram): readonly string[] {
  const names = minorsWithTables.flatMap((minor) =>
    Object.keys(tablesFor(minor).flags[program] ?? {}),
  )
  return [...new Set(names)]
}
