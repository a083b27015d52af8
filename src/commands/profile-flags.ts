// Flags that say which profile a command works on.
import * as Flags from '@oclif/core/flags'
import { argument, asOf } from './flags.ts'

export const profileArgument = argument({
  name: 'profile',
  required: true,
  description: 'A built-in profile, the path of a YAML file, or - for standard input.',
})

export const profileFlags = {
  layer: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'FILE',
    summary: 'A YAML file with fields that win over the profile; can be given several times.',
  }),
  set: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'PATH=VALUE',
    summary: 'A field that wins over the profile and its layers; can be given several times.',
  }),
  'as-of': asOf(),
  'allow-newer': Flags.boolean({
    summary: 'Take versions of lines that the tables lack, with what is known of the newest line.',
  }),
}

export const strictFlag = Flags.boolean({ summary: 'Let warnings reject the profile too.' })

export interface ProfileFlags {
  readonly layer?: readonly string[] | undefined
  readonly set?: readonly string[] | undefined
  readonly 'allow-newer'?: boolean
}
