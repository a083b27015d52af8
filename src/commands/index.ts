// The commands by id, each loaded only when it runs.
import type { Loaders } from './cli.ts'

export const commands: Loaders = {}
