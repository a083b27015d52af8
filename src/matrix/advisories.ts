// Security advisories of everything that runs on a node, and which of them concern a version.
import tables from '#tables'
import type { Advisory } from '../model/tables.ts'
import { inRange } from './version.ts'

export const { advisories } = tables.advisories

export function advisoriesOf(component: string, version: string): readonly Advisory[] {
  return advisories.filter((row) => row.component === component && inRange(version, row.affected))
}

/** Without those whose condition does not hold on a node that the profile left as it is. */
export function appliesByDefault(component: string, version: string): readonly Advisory[] {
  return advisoriesOf(component, version).filter((row) => row.applies !== 'conditional')
}
