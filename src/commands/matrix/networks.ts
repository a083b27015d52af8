// The networks of the matrix, each with the built-in profile of its plugin.
import { cniOf } from '../../cni/index.ts'
import { loadProfile } from '../../io/profiles.ts'
import { builtinNames } from '../../io/profiles/builtins.ts'
import { valueAt } from '../../model/json.ts'
import type { CniName } from '../../model/plugin-settings.ts'
import type { NetworkMode } from '../../model/spec.ts'
import { mergeLayers } from '../../profile/merge.ts'
import type { Network } from '../../support/combinations.ts'

/** Every mode of these plugins with its first backend; the profile of that mode where there is one. */
export function networksOf(names: readonly CniName[], root: string): readonly Network[] {
  const profiles = builtinNames(root).map((profile) => {
    const { layers } = loadProfile({ profile, root, cwd: root })
    const { document } = mergeLayers(layers)
    const network = (key: string) => valueAt(document, ['network', key])
    return { layers, cni: network('cni'), mode: network('mode'), backend: network('backend') }
  })
  return names.flatMap((cni) =>
    modesOf(cni).map((mode) => {
      const own = profiles.filter((one) => one.cni === cni && one.backend === undefined)
      const profile = own.findLast((one) => one.mode === mode) ?? own.at(-1)
      if (!profile) throw new Error(`no built-in profile has the network plugin ${cni}`)
      return { cni, mode, layers: profile.layers }
    }),
  )
}

function modesOf(cni: CniName): readonly NetworkMode[] {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- Object.keys returns string[]
  return Object.keys(cniOf(cni).modes) as NetworkMode[]
}
