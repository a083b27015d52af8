// The rule of a defect: of the tables, or of a row that --facts adds.
import { cniOf } from '../cni/index.ts'
import { defects, isDefective } from '../matrix/defects.ts'
import type { Facts } from '../model/facts.ts'
import { hostProcessAddOns } from '../addons/host-process.ts'
import type { Defect } from '../model/tables.ts'
import { defineRule, type Rule } from '../model/rule.ts'
import { components } from './components.ts'

/** Conditions under which a defect occurs, beside the affected version. */
const conditions: Readonly<Record<NonNullable<Defect['only']>, (facts: Facts) => boolean>> = {
  'dual-stack': ({ spec }) => spec.network.podCIDRs.length > 1,
  'hyper-v': ({ spec }) => spec.isolation.hyperV,
  'host-process': ({ spec }) =>
    cniOf(spec.network.cni).hostProcess(spec.network) || hostProcessAddOns(spec).length > 0,
  'sandbox-tag-and-digest': ({ sandbox }) =>
    sandbox.tag !== undefined && sandbox.digest !== undefined,
}

function isAffected(row: Defect, facts: Facts, version: string): boolean {
  return (
    isDefective(row, version) &&
    (row.builds?.includes(facts.windows.build) ?? true) &&
    (row.mode === undefined || row.mode === facts.spec.network.mode) &&
    (row.only === undefined || conditions[row.only](facts))
  )
}

/** Of rows that `--facts` adds; a row with the id of a known defect replaces that row in its rule. */
export function addedDefectRules({ added }: Pick<Facts, 'added'>): readonly Rule[] {
  const known = new Set(defects.map(({ id }) => id))
  return (added?.defects ?? [])
    .filter(({ id }) => !known.has(id))
    .map((row) => ({ ...defectRule(row), factsFile: added?.file ?? '' }))
}

export function defectRule(row: Defect): Rule {
  return defineRule({
    id: row.id,
    severity: row.severity,
    harm: 'breaks',
    countedAs: 'defect',
    summary: `No ${row.component} ${row.range}: ${row.effect}.`,
    remedy:
      row.fixedIn.length > 0
        ? 'Upgrade to a version with the fix.'
        : 'No version with a fix is known.',
    upgrades: row.fixedIn.length > 0 ? [row.component] : [],
    see: row.see,
    check: (facts) => {
      const now = facts.added?.defects?.find(({ id }) => id === row.id) ?? row
      const { path, version: read, used } = components[now.component]
      const version = read(facts.spec)
      if (!used(facts.spec) || !isAffected(now, facts, version)) return []
      const { severity, see, fixedIn } = now
      const fixed = fixedIn.length > 0 ? `; fixed in ${fixedIn.join(', ')}` : ''
      return [
        { path, severity, see, message: `${now.component} ${version}: ${now.effect}${fixed}` },
      ]
    },
  })
}
