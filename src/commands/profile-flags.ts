// Flags that say which profile a command works on.
import * as Flags from '@oclif/core/flags'
import { argument, asOf } from './flags.ts'

export const profileArgument = argument({
  name: 'profile',
  required: true,
  description: 'Built-in profile, YAML file, or - for stdin.',
})

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
  'as-of': asOf(),
  'allow-newer': Flags.boolean({
    summary: 'Accept versions newer than this winnode knows.',
  }),
}

export const strictFlag = Flags.boolean({ summary: 'Treat warnings as errors.' })

export interface ProfileFlags {
  readonly layer?: readonly string[] | undefined
  readonly set?: readonly string[] | undefined
  readonly 'allow-newer'?: boolean
}
