// The Kubernetes version of an explanation, and profiles of it as examples.
import { checkWithoutUpgrades, type Checked } from '../../check.ts'
import { loadProfile } from '../../io/profiles.ts'
import { builtinNames } from '../../io/profiles/builtins.ts'
import { tablesDate } from '../../matrix/tables-date.ts'
import type { AddedFacts } from '../../model/tables.ts'
import type { Plan } from '../../model/plan.ts'
import { planOf } from '../../plan.ts'
import { exampleProfile } from '../examples.ts'
import type { Scope } from './topic.ts'

/** Each profile is checked on first use: most names need none. */
export function scopeOf(version: string, root: string, added?: AddedFacts): Scope {
  const known = new Map<string, Checked>()
  const checked = (name: string) => {
    const before = known.get(name)
    if (before) return before
    const sets = [`kubernetes.version='${version}'`]
    const { layers } = loadProfile({ profile: name, sets, root, cwd: root })
    const result = checkWithoutUpgrades(layers, name, { today: tablesDate })
    known.set(name, result)
    return result
  }
  let plans: ReadonlyMap<string, Plan> | undefined
  return {
    version,
    added,
    example: () => checked(exampleProfile),
    plans: () =>
      (plans ??= new Map(
        builtinNames(root).map((name) => {
          const { facts, decisions } = checked(name)
          return [name, planOf(facts, decisions)]
        }),
      )),
  }
}
