// Flags that say which profile a command works on.
import { existsSync, statSync } from 'node:fs'
import * as Flags from '@oclif/core/flags'
import type { AddedFacts } from '../model/tables.ts'
import { argument, asOf } from './flags.ts'

export const profileArgument = argument({
  name: 'profile',
  required: true,
  description: 'Built-in profile, YAML file, or - for stdin.',
})

/** For commands that take several profiles. */
export const profilesArgument = argument({
  name: 'profile',
  description: 'Built-in profile, YAML file, folder, glob, or - for stdin.',
})

export const profilesFlag = Flags.string({
  multiple: true,
  multipleNonGreedy: true,
  helpValue: 'PROFILE',
  summary: 'Same as the argument; repeatable.',
})

/** The reader is loaded only with the flag: it needs the shapes of the tables. */
export const factsFlag = Flags.custom<AddedFacts>({
  helpValue: 'FILE',
  summary: 'Add rows to the tables of winnode.',
  parse: async (file) => (await import('../io/added-facts.ts')).readAddedFacts(file, process.cwd()),
})()

export const profileFlags = {
  layer: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'FILE',
    summary: 'Override fields with a YAML file; repeatable.',
  }),
  set: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'PATH=VALUE',
    summary: 'Override one field; repeatable.',
  }),
  root: Flags.string({
    helpValue: 'DIR',
    summary: 'Let profiles extend files in this folder; default: the repository.',
    parse: (folder) => Promise.resolve(existingFolder(folder)),
  }),
  'as-of': asOf(),
  'allow-newer': Flags.boolean({
    summary: 'Accept versions newer than this winnode knows.',
  }),
  facts: factsFlag,
}

export const offlineFlag = Flags.boolean({
  summary: 'Reject a profile whose nodes need the internet (host.offline).',
})

export const strictFlag = Flags.boolean({ summary: 'Treat warnings as errors.' })

export function existingFolder(folder: string): string {
  if (!existsSync(folder)) throw new Error(`${folder}: no such directory`)
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`)
  return folder
}

export interface ProfileFlags {
  readonly layer?: readonly string[] | undefined
  readonly set?: readonly string[] | undefined
  readonly root?: string | undefined
  readonly offline?: boolean
  readonly 'allow-newer'?: boolean
  readonly facts?: AddedFacts | undefined
}
