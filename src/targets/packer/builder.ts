// The type of a builder row, and what several builders share.
import type { Block, HclValue } from '../../render/hcl-text.ts'
import { bundleDigest } from '../../render/bundle-digest.ts'
import type { Input } from '../target.ts'
import { preset, type Variable } from './variables.ts'

export interface Builder {
  readonly plugin: { readonly source: string; readonly version: string }
  readonly variables: (input: Input) => readonly Variable[]
  readonly settings: (input: Input) => Readonly<Record<string, HclValue>>
  readonly blocks?: (input: Input) => readonly Block[]
  /** The script that generalizes the image, run last. */
  readonly sysprep: string
  /** Other scripts that the settings name. */
  readonly files: readonly string[]
  /** A script to write as EC2 user data, FILE.txt. */
  readonly userData?: string
  /** Files beside the template that the settings name. */
  readonly beside?: readonly string[]
  readonly locals?: Readonly<Record<string, HclValue>>
  /**
   * What the build starts from, as an expression: data of the builder, or the variable of the media or template.
   * https://developer.hashicorp.com/packer/docs/templates/hcl_templates/contextual-variables
   */
  readonly image: string
  readonly see: string
}

/** A path beside the template, in HCL, independent of the current folder. */
export const beside = (name: string) => `"\${path.root}/${name}"`

/** WinRM over TLS, with a self-signed certificate. */
export const winrm = {
  communicator: 'winrm',
  winrm_use_ssl: true,
  winrm_insecure: true,
  winrm_timeout: '30m',
} as const

/** A second build of the same bundle still needs another name, as the clouds refuse an image that exists. */
export const imageName = ({ facts: { spec }, bundle }: Input): Variable =>
  preset(
    'image_name',
    'The name of the image, which must not exist yet; by default with the digest of the bundle.',
    `${spec.name}-${bundleDigest(bundle).slice(0, 8)}`,
  )
