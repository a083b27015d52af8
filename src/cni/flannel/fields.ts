// Profile fields of flannel.
import * as v from 'valibot'
import { toolRelease } from '../../matrix/tools.ts'
import { exactVersion, field, group, whole } from '../../model/field.ts'
import { credentialsField } from '../../model/credentials-field.ts'
import type { Credentials } from '../../model/credentials.ts'
import { credentialsOf } from '../kubeconfig.ts'

export const flannelFields = group(
  {
    version: field(exactVersion, toolRelease('flanneld').version, {
      what: 'Version of flanneld, which creates the HNS network and the routes to other nodes.',
      why: 'The release publishes no checksum: another version needs its checksum in artifacts.sha256.',
      example: '0.28.9',
    }),
    cniPlugin: field(exactVersion, toolRelease('flannel-cni').version, {
      what: 'Version of flannel’s CNI plugin, which calls win-overlay or win-bridge for each pod.',
      why: 'flanneld and the CNI plugin are released separately, so their versions can differ.',
      example: '1.9.1-flannel3',
    }),
    vni: field(whole(0, 16_777_215), 4096, {
      what: 'VXLAN network identifier of flannel, on an overlay network.',
      when: 'with network.mode overlay',
      why: 'flanneld on Windows requires 4096 or more. The Linux default is 1, so flannel’s ConfigMap must be changed too.',
      example: 4096,
    }),
    port: field(whole(1, 65_535), 4789, {
      what: 'UDP port of flannel, on an overlay network.',
      why: 'flanneld on Windows requires 4789. The Linux default is 8472, so flannel’s ConfigMap must be changed too.',
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
        what: 'First two bytes of the MAC addresses of overlay endpoints.',
        why: 'The CNI plugin and flanneld must use the same value; winnode writes it for both.',
        when: 'with network.mode overlay',
        example: '0E-2A',
      },
    ),
    credentials: credentialsField('flanneld', 'flannel'),
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

export function flannelCredentials(written: Written, endpoint: string | undefined): Credentials {
  return credentialsOf(written.credentials, 'flannel', endpoint)
}

export function flannelSettings(written: Written, endpoint: string | undefined): FlannelSettings {
  return { ...written, credentials: flannelCredentials(written, endpoint) }
}
