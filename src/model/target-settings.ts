// The allowed values of the profile fields for targets, and their types.
import type { NodeSpec } from './spec.ts'

export const providers = ['azure', 'vsphere', 'aws', 'other'] as const
export type Provider = (typeof providers)[number]

/** Kinds that own the machines of a profile. */
export const capiKinds = ['MachineDeployment', 'MachinePool'] as const
export type CapiKind = (typeof capiKinds)[number]

export const packerBuilders = [
  'azure-arm',
  'amazon-ebs',
  'vsphere-iso',
  'vsphere-clone',
  'hyperv-iso',
  'other',
] as const
export type PackerBuilder = (typeof packerBuilders)[number]

/** Windows Update categories, as Ansible and image-builder name them. */
export const updateCategories = [
  'CriticalUpdates',
  'DefinitionUpdates',
  'SecurityUpdates',
  'ServicePacks',
  'UpdateRollups',
  'Updates',
] as const
export type UpdateCategory = (typeof updateCategories)[number]

/** How sysprep generalizes an image. */
export const sysprepModes = ['windows', 'ec2launch', 'none'] as const
export type SysprepMode = (typeof sysprepModes)[number]

export const capiVersions = ['v1beta1', 'v1beta2'] as const
export type CapiVersion = (typeof capiVersions)[number]

export type TargetSettings = NodeSpec['targets']
