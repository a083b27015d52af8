// Types of compile.mjs for the tests.
import type { System } from './systems.mjs'

export interface Compiling {
  readonly system: System
  readonly runtime: string
  readonly staged: string
  readonly file: string
}

export function stage(root: string, folder: string): Promise<void>
export function compile(bun: string, compiling: Compiling): Promise<void>
