// Cli: what a run knows of the program that it is.
import type { Config } from '@oclif/core/config'
import type { Manifest } from '@oclif/core/interfaces'
import type { BaseCommand } from './base.ts'
import type { Outputs } from './outputs.ts'

/** A command's class; its file is loaded only when it runs. */
export type CommandClass = { id: string } & (new (
  argv: string[],
  config: Config,
  outputs: Outputs,
) => BaseCommand)
export type Loaders = Readonly<Record<string, () => Promise<{ readonly default: CommandClass }>>>

export interface Cli {
  /** The folder of package.json, with `profiles/` and `dist/` beside it. */
  readonly root: string
  readonly name: string
  readonly version: string
  readonly description: string
  readonly commands: Loaders
  readonly manifest: Manifest
  readonly outputs: Outputs
}
