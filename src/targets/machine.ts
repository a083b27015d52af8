// The machine of a profile, in the units of those who make machines.
import type { Facts } from '../model/facts.ts'
import { mebibytes } from '../sizing/quantities.ts'

/** Whole GiB that hold what the profile says of drive C:. */
export function gibibytesOfDisk({ spec }: Facts): number {
  return Math.ceil((mebibytes(spec.machine.disk, 'up') ?? 0) / 1024)
}
