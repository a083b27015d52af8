// The rule that the chosen version of a program has each field of its configuration.
import { keyOnly, valueOf, type ConfigTable } from '../../components/config-table.ts'
import {
  fieldNames,
  fieldOfMinors,
  writtenFields,
  type WrittenField,
} from '../../matrix/config-fields.ts'
import type { Facts } from '../../model/facts.ts'
import { parsePath } from '../../model/path.ts'
import { defineRule, type Conflict, type Rule } from '../../model/rule.ts'
import { nearest } from '../../text/nearest.ts'

/** Keys of `config`, and keys that other profile fields write, that the chosen version does not have. */
export function fieldUnknown(component: ConfigTable): Rule {
  const { name, home, see } = component
  return defineRule({
    id: `${name}-field-unknown`,
    severity: 'error',
    summary: `The chosen ${name} version has the configuration fields that the profile sets.`,
    remedy: 'Remove the field, or use a version that has it.',
    upgrades: [name],
    see,
    check: (facts) => {
      const version = component.version(facts.spec)
      const given = writtenFields(facts.spec[home].config, name, version, [home, 'config'])
      const unknown = [...given.filter(({ field }) => !field), ...fromFields(component, facts)]
      const names = unknown.length > 0 ? fieldNames(name) : []
      return unknown.map(({ key, path }): Conflict => {
        const row = fieldOfMinors(name, key)
        const since =
          row?.added !== undefined
            ? `; it was added in ${row.added}`
            : row?.removed !== undefined
              ? `; it was removed in ${row.removed}`
              : ''
        const message = `${name} ${version} has no field ${key}${since}`
        return { path, at: 'key', message, ...didYouMean(key, names) }
      })
    },
  })
}

/**
 * Reads a profile field only where the version lacks its key: a refused value in another field must not hide these
 * findings.
 */
function fromFields(component: ConfigTable, facts: Facts): readonly WrittenField[] {
  const version = component.version(facts.spec)
  return component.rows.flatMap((row) => {
    const path = row.field === undefined ? undefined : parsePath(row.field)
    const keys = writtenFields(keyOnly(row), component.name, version)
    const unknown = keys.findLast(({ field }) => !field)
    return path && unknown && valueOf(row, facts) !== undefined ? [{ ...unknown, path }] : []
  })
}

/** Suggests a field that differs only in case first: the programs do not accept MaxPods for maxPods. */
function didYouMean(key: string, names: readonly string[]): { readonly remedy?: string } {
  if (names.includes(key)) return {}
  // Lowered outside of the loop, because keys can be very long and this runs again for each suggested upgrade.
  const folded = key.toLowerCase()
  const same = names.find((name) => name.toLowerCase() === folded)
  const guess = same ?? nearest(key, names)
  return guess === undefined ? {} : { remedy: `Did you mean ${guess}?` }
}
