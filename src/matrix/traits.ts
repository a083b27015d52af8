// Behaviours that changed in some version, so that no other file compares versions for them.
import tables from '#tables'
import type { TraitId } from '../model/tables.ts'
import { inRange } from './version.ts'

export const { traits } = tables.traits

/** `version` is the version of the trait's component. */
export function hasTrait(id: TraitId, version: string): boolean {
  return inRange(version, traits[id].range)
}
