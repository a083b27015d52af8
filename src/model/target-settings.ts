// Target-settings: what a profile says for targets, beside the node itself.
import type { Channel } from './channel.ts'
import type { JsonObject } from './json.ts'

export const providers = ['azure', 'vsphere', 'aws'] as const
export type Provider = (typeof providers)[number]

export const packerBuilders = ['azure-arm', 'amazon-ebs', 'vsphere-iso', 'other'] as const
export type PackerBuilder = (typeof packerBuilders)[number]

export const capiVersions = ['v1beta1', 'v1beta2'] as const
export type CapiVersion = (typeof capiVersions)[number]

export interface TargetSettings {
  readonly userdata: {
    readonly channels: readonly Channel[]
    /** Where the archive of the bundle is served. */
    readonly bundleURL: string | undefined
    readonly join: boolean
  }
  readonly capi: {
    readonly provider: Provider | undefined
    readonly cluster: string | undefined
    /** Where the archive of the bundle is served, for machines whose image does not have it. */
    readonly bundleURL: string | undefined
    readonly namespace: string
    /** Of Cluster API's own objects. */
    readonly apiVersion: CapiVersion
    /** Fields of the provider's machine, over those that follow from the profile. */
    readonly machine: JsonObject
    readonly machineVersion: CapiVersion | undefined
    readonly namePrefix: string
    readonly replicas: number
    readonly autoscaler: { readonly min: number; readonly max: number } | undefined
    readonly startMinutes: number
  }
  readonly packer: {
    readonly builder: PackerBuilder | undefined
    /** TYPE.NAME of a source block, with the builder `other`. */
    readonly source: string | undefined
  }
}
