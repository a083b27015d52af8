// The network plugins that winnode knows how to set up.
import type { Cni } from './plugin.ts'
import { layout } from '../model/layout.ts'
import type { CniName, PluginFields, PluginSettings } from '../model/plugin-settings.ts'
import type { Rule } from '../model/rule.ts'
import type { NetworkMode } from '../model/spec.ts'
import { antrea } from './antrea/index.ts'
import { flannel } from './flannel/index.ts'
import { winBridge } from './win-bridge/index.ts'

/** The row of names: a folder that is not in it does not compile, nor does a name without its folder. */
const plugins = { flannel, antrea, 'win-bridge': winBridge } satisfies Readonly<
  Record<CniName, Cni>
>

type Plugins = typeof plugins

const byName: Readonly<Record<CniName, Cni>> = plugins

// eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- keys of an object are text for the compiler
export const cniNames = Object.keys(plugins) as CniName[]

/** Of a profile that names none. */
export const defaultCni: CniName = 'flannel'

export function cniOf(name: CniName): Cni {
  return byName[name]
}

export const everyCni: readonly Cni[] = Object.values(byName)

/** flannel (overlay, l2bridge) */
export function titleWithModes({ title, modes }: Cni): string {
  return `${title} (${Object.keys(modes).join(', ')})`
}

/** Paths on a node that have a use, with any plugin. */
export const usedPaths: readonly string[] = [layout, ...everyCni.map(({ paths }) => paths)].flatMap(
  (paths) => Object.values(paths),
)

export const cniRules: readonly Rule[] = everyCni.flatMap(({ rules }) => rules)

/** The fields of each below its name. */
// eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- fromEntries forgets which name has which fields
export const pluginFields = Object.fromEntries(
  Object.entries(plugins).map(([name, { fields }]) => [name, fields]),
) as unknown as PluginFields

type Written = { readonly [Name in CniName]: Parameters<Plugins[Name]['settings']>[0] }

/** What the plugin calls the HNS network of a mode; nothing where it lacks the mode. */
export function networkNameOf(
  network: Written & { readonly cni: CniName; readonly mode: NetworkMode },
): string | undefined {
  const { cni, mode } = network
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- as below
  return byName[cni].modes[mode]?.networkName(network[cni] as never)
}

/** What the fields of each come to. */
export function settingsOf(written: Written): PluginSettings {
  /* eslint-disable @typescript-eslint/consistent-type-assertions -- a name and its plugin belong together, which the compiler does not see in a loop */
  return Object.fromEntries(
    cniNames.map((name) => [name, byName[name].settings(written[name] as never)]),
  ) as unknown as PluginSettings
  /* eslint-enable @typescript-eslint/consistent-type-assertions */
}
