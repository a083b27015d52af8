// Flags and arguments that several commands share.
import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { isDay } from '../model/day.ts'

/** A positional argument that never reads standard input by itself (oclif/core#1107). */
export const argument = Args.custom({ ignoreStdin: true })

export const asOf = Flags.custom({
  summary: 'Evaluate end-of-life dates as of this day.',
  helpValue: 'YYYY-MM-DD',
  parse: (input) => Promise.resolve(day(input)),
})

function day(input: string): string {
  if (!isDay(input)) {
    throw new Error(`"${input}" is not a day written as YYYY-MM-DD`)
  }
  return input
}

/** Several values, repeated or with commas. */
export const several = { multiple: true, multipleNonGreedy: true, delimiter: ',' } as const

/** Several of these values. */
export const severalOf = <T extends string>(options: readonly T[], summary: string) =>
  Flags.option({ ...several, options, summary })()
