// Types of systems.mjs for the tests.
export interface System {
  readonly name: string
  readonly runtime: string
  readonly target: string
}

export const systems: readonly System[]
export function fileOf(system: System): string
export function programOf(system: System): string
export function thisSystem(): System | undefined
