// The flag --for.
import * as Flags from '@oclif/core/flags'
import { targetNames } from '../targets/index.ts'

export const forFlag = (summary: string) =>
  Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    delimiter: ',',
    options: [...targetNames],
    summary,
  })

/** Without duplicates, in the order of the table. */
export function targetsOf(named: readonly string[]): readonly string[] {
  return targetNames.filter((name) => named.includes(name))
}
