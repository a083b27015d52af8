// Profile fields of Antrea.
import * as v from 'valibot'
import { exactVersion, field, group, open, whole } from '../../model/field.ts'

/** The newest patch of each maintained minor: https://github.com/antrea-io/antrea/releases (2026-08-15). */
export const newestPatches = ['2.5.3', '2.6.3', '2.7.0'] as const

export const antreaFields = group(
  {
    version: field(exactVersion, newestPatches[2], {
      what: 'Version of Antrea in the cluster.',
      why: 'Its DaemonSet installs itself, so the node gets no Antrea from the bundle: the version decides which advisories apply.',
      example: '2.7.0',
    }),
    ovsDriver: open(v.picklist(['signed', 'testSigned']), {
      what: 'Signature of the Open vSwitch driver that Antrea uses.',
      why: 'Antrea publishes a test-signed driver: Windows loads it only in test mode, and never with Secure Boot. Its DaemonSet installs the driver of its image: a signed driver needs an image of your own, or Open vSwitch as services with antrea-windows.yml.',
      example: 'signed',
    }),
    tunnelPort: open(whole(1, 65_535), {
      what: 'Port of the tunnel between nodes (tunnelPort of antrea-agent.conf).',
      why: 'It must be the same on every node of the cluster; the firewall of the node opens it.',
      derived: 'the port of the tunnel: 6081 (geneve), 4789 (vxlan) or 7471 (stt)',
      example: 6081,
    }),
  },
  'Settings of Antrea; used where network.cni is antrea.',
)

declare module '../../model/plugin-settings.ts' {
  interface PluginFields {
    readonly antrea: typeof antreaFields
  }
  interface PluginSettings {
    readonly antrea: AntreaSettings
  }
}

type AntreaSettings = Readonly<v.InferOutput<typeof antreaFields>>

export const antreaSettings = (written: AntreaSettings): AntreaSettings => written
