// The names of the helpers that precompiled templates call.

/** Writes a value as a literal. Arguments: value, place, name, notation. */
export const writeHelper = '__write'

/** Check the operand of each allowed block. Arguments: value, place, name. */
export const blockHelpers = {
  if: '__condition',
  unless: '__condition',
  each: '__list',
} as const

type BlockName = keyof typeof blockHelpers

export function isBlockName(name: string): name is BlockName {
  return Object.hasOwn(blockHelpers, name)
}
