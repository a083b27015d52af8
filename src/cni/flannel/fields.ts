// What a profile says of flannel alone.
import * as v from 'valibot'
import { toolRelease } from '../../matrix/tools.ts'
import { exactVersion, field, group, whole } from '../../model/field.ts'
import { credentialsField } from '../../model/credentials-field.ts'
import type { Credentials } from '../../model/credentials.ts'
import { credentialsOf } from '../kubeconfig.ts'

export const flannelFields = group(
  {
    version: field(exactVersion, toolRelease('flanneld').version, {
      what: 'Version of flanneld, which makes the HNS network and the routes to other nodes.',
      why: 'The release publishes no checksum: another version needs its digest in artifacts.sha256.',
      example: '0.28.9',
    }),
    cniPlugin: field(exactVersion, toolRelease('flannel-cni').version, {
      what: 'Version of flannel’s CNI plugin, which hands each pod to win-overlay or win-bridge.',
      why: 'The programs of flannel have releases of their own: they need not be equal.',
      example: '1.9.1-flannel3',
    }),
    vni: field(whole(0, 16_777_215), 4096, {
      what: 'VXLAN network identifier of an overlay network.',
      when: 'with network.mode overlay',
      why: 'flanneld on Windows refuses less than 4096; the Linux default is 1, so the Linux side must be set too.',
      example: 4096,
    }),
    port: field(whole(1, 65_535), 4789, {
      what: 'UDP port of an overlay network.',
      why: 'flanneld on Windows takes 4789 only; the Linux default is 8472, so the Linux side must be set too.',
      when: 'with network.mode overlay',
      example: 4789,
    }),
    macPrefix: field(
      v.pipe(
        v.string(),
        v.regex(/^[0-9A-Fa-f]{2}-[0-9A-Fa-f]{2}$/, 'two hex pairs joined by a dash, such as 0E-2A'),
      ),
      '0E-2A',
      {
        what: 'First two bytes of the MAC addresses of an overlay network’s endpoints.',
        why: 'The CNI plugin and flanneld must use the same, so winnode writes it for both.',
        when: 'with network.mode overlay',
        example: '0E-2A',
      },
    ),
    credentials: credentialsField('flanneld', 'C:\\etc\\kubernetes\\flannel.conf'),
  },
  'Settings of flannel; used where network.cni is flannel.',
)

declare module '../../model/plugin-settings.ts' {
  interface PluginFields {
    readonly flannel: typeof flannelFields
  }
  interface PluginSettings {
    readonly flannel: FlannelSettings
  }
}

type Written = v.InferOutput<typeof flannelFields>

export interface FlannelSettings extends Readonly<Omit<Written, 'credentials'>> {
  readonly credentials: Credentials
}

export function flannelSettings(written: Written): FlannelSettings {
  return { ...written, credentials: credentialsOf(written.credentials) }
}
