// The allowed values of the profile fields for targets, and their types.
import type { NodeSpec } from './spec.ts'

export const providers = ['azure', 'vsphere', 'aws', 'other'] as const
export type Provider = (typeof providers)[number]

export const packerBuilders = ['azure-arm', 'amazon-ebs', 'vsphere-iso', 'other'] as const
export type PackerBuilder = (typeof packerBuilders)[number]

/** Categories of Windows Update, by their names in Ansible and image-builder. */
export const updateCategories = [
  'CriticalUpdates',
  'DefinitionUpdates',
  'SecurityUpdates',
  'ServicePacks',
  'UpdateRollups',
  'Updates',
] as const
export type UpdateCategory = (typeof updateCategories)[number]

/** How an image is generalized. */
export const sysprepWays = ['windows', 'ec2launch', 'none'] as const
export type SysprepWay = (typeof sysprepWays)[number]

export const capiVersions = ['v1beta1', 'v1beta2'] as const
export type CapiVersion = (typeof capiVersions)[number]

export type TargetSettings = NodeSpec['targets']
