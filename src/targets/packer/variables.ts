// Variables of a Packer template.
import { expression, type Block } from '../../render/hcl-text.ts'

export interface Variable {
  readonly name: string
  /** Its description, as one sentence. */
  readonly what: string
  /** The default; absent for a required variable. */
  readonly fallback?: string | number
  /** Packer redacts it in its output. */
  readonly secret?: true
}

export function variableBlock({ name, what, fallback, secret }: Variable): Block {
  return {
    type: 'variable',
    labels: [name],
    attributes: {
      type: expression(typeof fallback === 'number' ? 'number' : 'string'),
      description: what,
      ...(fallback !== undefined && { default: fallback }),
      ...(secret && { sensitive: true }),
    },
  }
}

export const variable = (name: string) => expression(`var.${name}`)

/** Settings with the name of their variable. */
export function variables(...names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, variable(name)]))
}

export const required = (name: string, what: string): Variable => ({ name, what })

export const secret = (name: string, what: string): Variable => ({ name, what, secret: true })

export const preset = (name: string, what: string, fallback: string | number): Variable => ({
  name,
  what,
  fallback,
})
