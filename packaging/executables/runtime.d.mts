// What the tests use of the search for Bun.
import type { System } from './systems.mjs'

export function installedBun(root: string): string | undefined
export function runtimeFor(
  system: System,
  places: { readonly root: string; readonly folder: string },
): Promise<string>
