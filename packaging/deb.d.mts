// Types of deb.mjs for the tests.
import type { System } from './executables/systems.mjs'

export function makeDeb(made: {
  readonly root: string
  readonly system: System
  readonly executable: string
  /** winnode as a command line of this machine. */
  readonly program: readonly string[]
  readonly file: string
  /** Options of dpkg-deb. */
  readonly compression?: readonly string[]
}): Promise<void>
