// Profile fields of flannel.
import * as v from 'valibot'
import { toolRelease } from '../../matrix/tools.ts'
import { exactVersion, field, group, open, whole } from '../../model/field.ts'
import { credentialsField } from '../../model/credentials-field.ts'
import type { Credentials } from '../../model/credentials.ts'
import { image } from '../../model/image-field.ts'
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
    runsAs: field(v.picklist(['service', 'hostProcess']), 'service', {
      what: 'How flanneld runs on Windows nodes: `service` as a service of the node, `hostProcess` as HostProcess pods of a DaemonSet, with kube-proxy.',
      why: 'A service needs credentials on the node, so with Cluster API they are in the user data of each machine. Pods get a token of the API server that expires. They need an image of your own, because there is no published one with flanneld for Windows.',
      example: 'hostProcess',
    }),
    image: open(image, {
      what: 'Image with `flannel/flanneld.exe`, by digest.',
      why: 'The HostProcess pods run its flanneld.exe as SYSTEM. `network.flannel.version` must be the version in the image, which winnode cannot read.',
      when: 'with network.flannel.runsAs hostProcess',
      example:
        'registry.example.com/flannel-windows:0.28.9@sha256:2b8fd9751c4c0f5dd266fcae00707e67a2545ef34f9a29354585f93dac906749',
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
