import type { Manifest } from '@oclif/core/interfaces'

export function describeCommands(root: string, loaders: object): Promise<Manifest>
