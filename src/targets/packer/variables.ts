// Variables of a Packer template: typed, and without a default where they hold a secret.
import { expression, type Block } from '../../render/hcl-text.ts'

export interface Variable {
  readonly name: string
  readonly type: 'string' | 'number'
  /** What it is, as one sentence. */
  readonly what: string
  /** Absent where somebody has to say it. */
  readonly fallback?: string | number
  /** Packer takes it out of what it prints. */
  readonly secret?: true
}

export function variableBlock({ name, type, what, fallback, secret }: Variable): Block {
  return {
    type: 'variable',
    labels: [name],
    attributes: {
      type: expression(type),
      description: what,
      ...(fallback !== undefined && { default: fallback }),
      ...(secret && { sensitive: true }),
    },
  }
}

export const variable = (name: string) => expression(`var.${name}`)
