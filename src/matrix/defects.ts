// Versions that are known to misbehave on Windows, security aside.
import tables from '#tables'
import type { Defect } from '../model/tables.ts'
import { inRange } from './version.ts'

export const { defects } = tables.defects

/** Builds, modes and conditions are left to the caller. */
export function isDefective(row: Defect, version: string): boolean {
  return inRange(version, row.range)
}
