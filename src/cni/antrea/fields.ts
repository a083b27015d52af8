// Profile fields of Antrea.
import * as v from 'valibot'
import { group, open } from '../../model/field.ts'

export const antreaFields = group(
  {
    ovsDriver: open(v.picklist(['signed', 'testSigned']), {
      what: 'Signature of the Open vSwitch driver that Antrea uses.',
      why: 'Antrea publishes a test-signed driver: Windows loads it only in test mode, and never with Secure Boot. A signed driver must be supplied separately.',
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
