// Builder: what a row about a builder of Packer says, and what several rows share.
import type { Facts } from '../../model/facts.ts'
import type { Block, HclValue } from '../../render/hcl-text.ts'
import { preset, type Variable } from './variables.ts'

export interface Builder {
  readonly plugin: { readonly source: string; readonly version: string }
  readonly variables: (facts: Facts) => readonly Variable[]
  readonly settings: (facts: Facts) => Readonly<Record<string, HclValue>>
  readonly blocks?: (facts: Facts) => readonly Block[]
  /** Settings that the builder cannot do without; `packer validate` misses some. */
  readonly required: readonly string[]
  /** Takes the identity of the machine away, as the last of all. */
  readonly sysprep: string
  /** Other scripts that the settings name. */
  readonly files: readonly string[]
  /** A script that is user data of EC2, as FILE.txt. */
  readonly userData?: string
  /** Files beside the template that the settings name. */
  readonly beside?: readonly string[]
  readonly locals?: Readonly<Record<string, HclValue>>
  readonly see: string
}

/** Over WinRM with TLS, of which nobody knows the certificate. */
export const winrm = {
  communicator: 'winrm',
  winrm_use_ssl: true,
  winrm_insecure: true,
  winrm_timeout: '30m',
} as const

export const imageName = ({ spec }: Facts): Variable =>
  preset('image_name', 'The name of the image; none of that name may be there.', spec.name)
