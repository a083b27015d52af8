// Profile fields for a plugin that winnode does not install.
import * as v from 'valibot'
import { field, group, text } from '../../model/field.ts'

export const noneFields = group(
  {
    openPorts: field(
      v.array(
        v.strictObject({
          protocol: v.picklist(['TCP', 'UDP']),
          ports: text(/^\d{1,5}(?:-\d{1,5})?$/, 'a port or a range such as 10349-10351'),
        }),
      ),
      [],
      {
        what: 'Ports that the plugin uses between nodes, opened in the firewall for host.firewall.networkFrom.',
        why: 'Windows Firewall blocks them otherwise. VXLAN uses UDP 4789, BGP TCP 179.',
        example: [{ protocol: 'UDP', ports: '4789' }],
      },
    ),
  },
  'Settings for a plugin that installs itself with a DaemonSet; used with network.cni none.',
)

declare module '../../model/plugin-settings.ts' {
  interface PluginFields {
    readonly none: typeof noneFields
  }
  interface PluginSettings {
    readonly none: NoneSettings
  }
}

export type NoneSettings = Readonly<v.InferOutput<typeof noneFields>>
