// Plugin-settings: what each network plugin alone has to know, declared in its folder of src/cni.

/** The table of a plugin's fields, by its name: a plugin adds its own by declaration merging. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- plugins fill it
export interface PluginFields {}

/** A plugin adds its own by declaration merging: its name, and the settings that a profile comes to. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- plugins fill it
export interface PluginSettings {}

export type CniName = keyof PluginSettings
