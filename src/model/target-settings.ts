// Target-settings: the settings of a profile for targets, beside the node itself.
import type { NodeSpec } from './spec.ts'

export const providers = ['azure', 'vsphere', 'aws'] as const
export type Provider = (typeof providers)[number]

export const packerBuilders = ['azure-arm', 'amazon-ebs', 'vsphere-iso', 'other'] as const
export type PackerBuilder = (typeof packerBuilders)[number]

export const capiVersions = ['v1beta1', 'v1beta2'] as const
export type CapiVersion = (typeof capiVersions)[number]

export type TargetSettings = NodeSpec['targets']
