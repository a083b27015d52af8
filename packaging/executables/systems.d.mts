// What the tests use of the table of systems.
export interface System {
  readonly name: string
  readonly runtime: string
  readonly target: string
}

export const systems: readonly System[]
export function fileOf(system: System): string
export function programOf(system: System): string
export function thisSystem(): System | undefined
