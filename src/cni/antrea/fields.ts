// What a profile says of Antrea alone.
import * as v from 'valibot'
import { group, open } from '../../model/field.ts'

export const antreaFields = group(
  {
    ovsDriver: open(v.picklist(['signed', 'testSigned']), {
      what: 'How the Open vSwitch driver below Antrea is signed.',
      why: 'Antrea publishes a test-signed one: Windows loads it in test mode only, and never under Secure Boot. A signed one is your own.',
      example: 'signed',
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
