// Flags and arguments that several commands share.
import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'

/** A positional argument that never reads standard input by itself (oclif/core#1107). */
export const argument = Args.custom({ ignoreStdin: true })

export const asOf = Flags.custom({
  summary: 'Judge ends of support as of this day instead of today.',
  helpValue: 'YYYY-MM-DD',
  parse: (input) => Promise.resolve(day(input)),
})

function day(input: string): string {
  const date = new Date(input)
  const exists = !Number.isNaN(date.valueOf()) && date.toISOString().startsWith(input)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(input) || !exists) {
    throw new Error(`"${input}" is not a day written as YYYY-MM-DD`)
  }
  return input
}
