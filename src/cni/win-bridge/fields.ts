// win-bridge has no separate settings; the fields of `network` apply.
import { group } from '../../model/field.ts'

export const winBridgeFields = group(
  {},
  'win-bridge has no separate settings; network.routes must be set.',
)

declare module '../../model/plugin-settings.ts' {
  interface PluginFields {
    readonly 'win-bridge': typeof winBridgeFields
  }
  interface PluginSettings {
    readonly 'win-bridge': WinBridgeSettings
  }
}

type WinBridgeSettings = Readonly<Record<string, never>>
