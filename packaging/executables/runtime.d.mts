// Types of runtime.mjs for the tests.
import type { System } from './systems.mjs'

export function installedBun(root: string): string | undefined
export function runtimeFor(
  system: System,
  places: { readonly root: string; readonly folder: string },
): Promise<string>
