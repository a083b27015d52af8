// The machine of a profile, in units of providers.
import type { Facts } from '../model/facts.ts'
import { mebibytes } from '../sizing/quantities.ts'

/** Size of drive C:, rounded up to whole GiB. */
export function diskGiB({ spec }: Facts): number {
  return Math.ceil((mebibytes(spec.machine.disk, 'up') ?? 0) / 1024)
}
