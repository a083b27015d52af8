// The settings of each network plugin, declared in its folder of src/cni.

/** The table of a plugin's fields, by its name: a plugin adds its own by declaration merging. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- plugins fill it
export interface PluginFields {}

/** Effective settings by plugin name: a plugin adds its own by declaration merging. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- plugins fill it
export interface PluginSettings {}

export type CniName = keyof PluginSettings
