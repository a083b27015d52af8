// The network plugins that winnode supports.
import * as v from 'valibot'
import type { Cni, CniMode } from './plugin.ts'
import { layout } from '../model/layout.ts'
import { isWithin, type Path } from '../model/path.ts'
import type { CniName, PluginFields, PluginSettings } from '../model/plugin-settings.ts'
import type { Rule } from '../model/rule.ts'
import type { NetworkMode, NodeSpec } from '../model/spec.ts'
import { antrea } from './antrea/index.ts'
import { calico } from './calico/index.ts'
import { eks } from './eks/index.ts'
import { flannel } from './flannel/index.ts'
import { none } from './none/index.ts'
import { winBridge } from './win-bridge/index.ts'

/** All plugins by name. A folder missing here, or a name without its folder, is a compile error. */
const plugins = {
  flannel,
  calico,
  antrea,
  'win-bridge': winBridge,
  eks,
  none,
} satisfies Readonly<Record<CniName, Cni>>

type Plugins = typeof plugins

const byName: Readonly<Record<CniName, Cni>> = plugins

// eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- Object.keys returns string[]
export const cniNames = Object.keys(plugins) as CniName[]

/** The default of network.cni. */
export const defaultCni: CniName = 'flannel'

export function cniOf(name: CniName): Cni {
  return byName[name]
}

/** All backends that a profile can name. */
export const backendNames: readonly string[] = [
  ...new Set(
    Object.values(byName).flatMap(({ modes }) => Object.values(modes).flatMap(backendsOf)),
  ),
].filter((name) => name !== '')

export function backendsOf({ backend, others = {} }: CniMode): readonly string[] {
  return [backend, ...Object.keys(others)]
}

/** A plugin's mode with the backend of the profile; undefined if it does not support the mode. */
export function modeOf({
  cni,
  mode,
  backend,
}: Pick<NodeSpec['network'], 'cni' | 'mode' | 'backend'>): CniMode | undefined {
  const row = byName[cni].modes[mode]
  return row && { ...row, ...row.others?.[backend], backend }
}

/** Fields about the profile itself. */
const header: readonly Path[] = [
  'apiVersion',
  'kind',
  'name',
  'summary',
  'extends',
  'facts',
  'ignore',
].map((name) => [name])

/** Whether a bundle of the plugin carries this profile field, or a part of it. */
export function carries(name: CniName, path: Path): boolean {
  const { image } = cniOf(name)
  if (!image) return true
  return [...header, ...image.carries].some((one) => isWithin(path, one) || isWithin(one, path))
}

/** Whether kubeadm joins the node: a provider's image joins it in its own way. */
export function joinsWithKubeadm({ join, network }: NodeSpec): boolean {
  return join.method === 'kubeadm' && carries(network.cni, ['join', 'method'])
}

export const everyCni: readonly Cni[] = Object.values(byName)

/** flannel (overlay, l2bridge) */
export function titleWithModes({ title, modes }: Cni): string {
  return `${title} (${Object.keys(modes).join(', ')})`
}

/** Paths on a node that winnode or any plugin uses. */
export const usedPaths: readonly string[] = [
  layout,
  ...everyCni.map(({ paths = {} }) => paths),
].flatMap((paths) => Object.values(paths))

export const cniRules: readonly Rule[] = everyCni.flatMap(({ rules }) => rules)

/** The fields of each plugin, by its name. */
// eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- fromEntries loses which name has which fields
export const pluginFields = Object.fromEntries(
  Object.entries(plugins).map(([name, { fields }]) => [name, fields]),
) as unknown as PluginFields

type Written = { readonly [Name in CniName]: Parameters<Plugins[Name]['settings']>[0] }

/** The plugin's name for the HNS network of a mode; empty if it does not support the mode. */
export function networkNameOf(
  network: Written & { readonly cni: CniName; readonly mode: NetworkMode },
): string | undefined {
  const { cni, mode } = network
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- as below
  return byName[cni].modes[mode]?.networkName(network[cni] as never)
}

/** The effective settings of each plugin. */
export function settingsOf(written: Written, endpoint: string | undefined): PluginSettings {
  /* eslint-disable @typescript-eslint/consistent-type-assertions -- the compiler cannot infer in a loop that a name and its plugin match */
  return Object.fromEntries(
    cniNames.map((name) => [name, byName[name].settings(written[name] as never, endpoint)]),
  ) as unknown as PluginSettings
  /* eslint-enable @typescript-eslint/consistent-type-assertions */
}

/** The effective settings of a plugin where a profile sets none of its fields. */
export function defaultSettings(
  name: CniName,
  endpoint: string | undefined,
): PluginSettings[CniName] {
  const { fields, settings } = byName[name]
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- as above
  return settings(v.parse(fields, {}) as never, endpoint)
}
