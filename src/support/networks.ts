// Networks of plugins: each mode of a plugin with each of its backends.
import { backendsOf, carries, cniOf } from '../cni/index.ts'
import type { CniMode } from '../cni/plugin.ts'
import type { JsonObject } from '../model/json.ts'
import type { CniName } from '../model/plugin-settings.ts'
import type { NetworkMode } from '../model/spec.ts'

export interface NetworkChoice {
  readonly cni: CniName
  readonly mode: NetworkMode
  /** Empty for a plugin that winnode does not know. */
  readonly backend: string
}

/** The preferred first. */
export function networksOf(names: readonly CniName[]): readonly NetworkChoice[] {
  return names.flatMap((cni) =>
    modesOf(cni).flatMap(([mode, row]) =>
      backendsOf(row).map((backend) => ({ cni, mode, backend })),
    ),
  )
}

/** Without the backend where the bundle of the plugin carries none. */
export function patchOfNetwork({ cni, mode, backend }: NetworkChoice): JsonObject {
  const named = backend !== '' && carries(cni, ['network', 'backend'])
  return { network: { cni, mode, ...(named && { backend }) } }
}

/** `flannel l2bridge host-gw`; a backend of the mode’s name once. */
export function networkName({ cni, mode, backend }: NetworkChoice): string {
  return [cni, mode, backend === mode ? '' : backend].filter(Boolean).join(' ')
}

function modesOf(cni: CniName): readonly (readonly [NetworkMode, CniMode])[] {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- Object.entries returns strings
  return Object.entries(cniOf(cni).modes) as [NetworkMode, CniMode][]
}
