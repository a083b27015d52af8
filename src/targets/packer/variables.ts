// Variables of a Packer template: typed, and without a default where they hold a secret.
import { expression, type Block } from '../../render/hcl-text.ts'

export interface Variable {
  readonly name: string
  /** What it is, as one sentence. */
  readonly what: string
  /** Absent where somebody has to say it. */
  readonly fallback?: string
  /** Packer takes it out of what it prints. */
  readonly secret?: true
}

export function variableBlock({ name, what, fallback, secret }: Variable): Block {
  return {
    type: 'variable',
    labels: [name],
    attributes: {
      type: expression('string'),
      description: what,
      ...(fallback !== undefined && { default: fallback }),
      ...(secret && { sensitive: true }),
    },
  }
}

export const variable = (name: string) => expression(`var.${name}`)

/** Settings of a builder that have the names of variables. */
export function variables(...names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, variable(name)]))
}

/** Somebody has to say it. */
export const asked = (name: string, what: string): Variable => ({ name, what })

export const secret = (name: string, what: string): Variable => ({ name, what, secret: true })

export const preset = (name: string, what: string, fallback: string): Variable => ({
  name,
  what,
  fallback,
})
