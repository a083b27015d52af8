// The networks of the matrix, each with the built-in profile of its plugin.
import { loadProfile } from '../../io/profiles.ts'
import { builtinNames } from '../../io/profiles/builtins.ts'
import { valueAt } from '../../model/json.ts'
import type { CniName } from '../../model/plugin-settings.ts'
import { mergeLayers } from '../../profile/merge.ts'
import type { Network } from '../../support/combinations.ts'
import { networksOf } from '../../support/networks.ts'

/** Each with the built-in profile that is nearest to it: of its backend, else of its mode, else of its plugin. */
export function matrixNetworks(names: readonly CniName[], root: string): readonly Network[] {
  const profiles = builtinNames(root).map((profile) => {
    const { layers } = loadProfile({ profile, root, cwd: root })
    const { document } = mergeLayers(layers)
    const network = (key: string) => valueAt(document, ['network', key])
    return { layers, cni: network('cni'), mode: network('mode'), backend: network('backend') }
  })
  const networks = networksOf(names)
  return networks.map((network) => {
    const { cni, mode, backend } = network
    const first = networks.find((one) => one.cni === cni && one.mode === mode)
    const own = profiles.filter((one) => one.cni === cni)
    const inMode = own.filter((one) => one.mode === mode)
    const profile =
      inMode.findLast((one) => (one.backend ?? first?.backend) === backend) ??
      inMode.at(-1) ??
      own.at(-1)
    if (!profile) throw new Error(`no built-in profile has the network plugin ${cni}`)
    return { ...network, layers: profile.layers }
  })
}
