// Profile fields of Calico.
import * as v from 'valibot'
import { field, group, whole } from '../../model/field.ts'

/** Newest Kubernetes minor of Calico's own tests, by Calico minor: metadata.mk and the requirements of each release. */
export const testedUpTo = { '3.30': '1.32', '3.31': '1.33', '3.32': '1.35' } as const

const versions = ['3.30', '3.31', '3.32'] as const satisfies readonly (keyof typeof testedUpTo)[]

export const calicoFields = group(
  {
    version: field(v.picklist(versions), '3.32', {
      what: 'Minor version of Calico in the cluster.',
      why: 'Each Calico minor is tested up to a Kubernetes minor.',
      example: '3.32',
    }),
    vni: field(whole(4096, 16_777_215), 4096, {
      what: 'Calico’s VXLAN network identifier (vxlanVNI of the FelixConfiguration).',
      why: 'HNS rejects a VNI below 4096; all nodes need the same one.',
      example: 4096,
    }),
    blockSize: field(whole(20, 29), 26, {
      what: 'Prefix length of Calico’s IPAM blocks (blockSize of the pool).',
      why: 'A Windows node has one block, of which Windows and Calico reserve four addresses. An existing pool keeps its block size.',
      example: 26,
    }),
    natOutgoing: field(v.boolean(), true, {
      what: 'Whether pods leave the cluster with the address of their node (natOutgoing of the pool).',
      why: 'Without it the network outside of the cluster must have routes to pods.',
      example: true,
    }),
  },
  'Settings of Calico; used where network.cni is calico.',
)

declare module '../../model/plugin-settings.ts' {
  interface PluginFields {
    readonly calico: typeof calicoFields
  }
  interface PluginSettings {
    readonly calico: CalicoSettings
  }
}

export type CalicoSettings = Readonly<v.InferOutput<typeof calicoFields>>
