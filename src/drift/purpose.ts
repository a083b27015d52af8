// The purpose of a field in a rendered file, and the profile field that sets it.
import { stepsOf } from '../components/config-table.ts'
import { flagsOf } from '../components/flags.ts'
import { manifestNames } from '../model/bundle-path.ts'
import { parsePath, type Path } from '../model/path.ts'
import type { PlannedFile } from '../model/plan.ts'
import type { Setting, Settings } from '../model/setting.ts'
import { checkFields, stepFields } from '../steps/fields.ts'
import type { Leaf } from './compare.ts'

type At = Pick<Leaf, 'path' | 'steps'>

/** The setting of a field, or of its nearest parent. */
export function purposeOf(plan: PlannedFile | undefined, { path, steps }: At): Setting | undefined {
  return plan?.settings ? around(plan.settings, steps)[0]?.setting : settingOfFlag(path)
}

/** The profile field that sets the value; in node.json, by the id of the step or check. */
export function profileFieldOf(
  file: string,
  plan: PlannedFile | undefined,
  { path, steps }: At,
): Path | undefined {
  if (file === manifestNames.bundle) return nodeFieldOf(path)
  const rows = around(plan?.settings ?? {}, steps)
  const row = rows.find(({ setting }) => setting.field !== undefined)
  if (rows.length === 0) return plan?.merges && [...plan.merges, ...path.slice(0, 1)]
  const field = parsePath(row?.setting.field ?? '')
  return field && row?.map === true ? [...field, ...path.slice(row.length)] : field
}

interface Found {
  readonly setting: Setting
  readonly length: number
  /** The setting applies to every key of a map. */
  readonly map: boolean
}

/** Settings of a field and its parents, innermost first. `a[]` and `a.*` also match the list and the map. */
function around(settings: Settings, steps: readonly string[]): readonly Found[] {
  return Object.entries(settings)
    .flatMap(([row, setting]) => {
      const parts = stepsOf(row.replace(/(?:\[\]|\.\*)$/, ''))
      return parts.every(
        (part, index) => part === steps[index] || (part === '*' && steps[index] !== '[]'),
      )
        ? [{ setting, length: parts.length, map: row.endsWith('.*') }]
        : []
    })
    .toSorted((a, b) => b.length - a.length)
}

/** A flag or a variable of a service in node.json, by the id of the step that registers it. */
function settingOfFlag([list, step, part, name]: Path): Setting | undefined {
  if (list !== 'steps' || (part !== 'command' && part !== 'environment')) return undefined
  return flagsOf(String(step).replace(/^service-/, ''))?.[String(name)]
}

function nodeFieldOf(path: Path): Path | undefined {
  const [list, id = '', part = ''] = path.map(String)
  if (list === 'name') return ['name']
  const table = { steps: stepFields, preflight: checkFields }[list ?? ''] ?? {}
  const row = Object.entries(table).find(
    ([key]) => key === id || (key.endsWith('-') && id.startsWith(key)),
  )?.[1]
  const field = typeof row === 'object' ? row[part] : row
  return parsePath(field ?? settingOfFlag(path)?.field ?? '')
}
