// Versions that are known to misbehave on Windows, security aside.
import type { Defect } from '../model/known-faults.ts'
import table from './defects.json' with { type: 'json' }
import { inRange } from './version.ts'

export const { defects } = table

/** Builds, modes and conditions are left to the caller. */
export function isDefective(row: Defect, version: string): boolean {
  return inRange(version, row.range)
}
