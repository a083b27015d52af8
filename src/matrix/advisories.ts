// Security advisories of the components of a node, by version.
import tables from '#tables'
import type { AddedFacts, Advisory } from '../model/tables.ts'
import { withAdded } from './added-rows.ts'
import { inRange } from './version.ts'

export const { advisories } = tables.advisories

export function advisoriesOf(
  component: string,
  version: string,
  added?: AddedFacts,
): readonly Advisory[] {
  return everyAdvisory(added).filter(
    (row) => row.component === component && inRange(version, row.affected),
  )
}

export function everyAdvisory(added?: AddedFacts): readonly Advisory[] {
  return withAdded(advisories, added?.advisories, (row) => `${row.id} ${row.component}`)
}

/** Without advisories whose condition does not hold with default settings. */
export function appliesByDefault(
  component: string,
  version: string,
  added?: AddedFacts,
): readonly Advisory[] {
  return advisoriesOf(component, version, added).filter((row) => row.applies !== 'conditional')
}

/** `CVE-2020-8565 (medium): Tokens are written to the log. Condition: verbosity 9 or higher. Fixed in 1.20.0.` */
export function advisoryText({ id, severity, summary, condition, fixedIn }: Advisory): string {
  return [
    `${id} (${severity}): ${summary}`,
    ...(condition === undefined ? [] : [`Condition: ${condition}.`]),
    ...(fixedIn.length > 0 ? [`Fixed in ${fixedIn.join(', ')}.`] : []),
  ].join(' ')
}
