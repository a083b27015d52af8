// The names by which a hardened template calls the engine.

/** Writes a value as a literal: value, place, name, notation. */
export const writeCall = '__write'

/** Wraps the operand of each block that a template may use: value, place, name. */
export const blockGuards = {
  if: '__condition',
  unless: '__condition',
  each: '__list',
} as const

export type BlockName = keyof typeof blockGuards

export function isBlockName(name: string): name is BlockName {
  return Object.hasOwn(blockGuards, name)
}
