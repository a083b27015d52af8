// Checks the configuration file of a program against the tables of its fields and constraints.
import { fieldIn, writtenFields } from '../../matrix/config-fields.ts'
import { constraintsIn } from '../../matrix/constraints.ts'
import type { Condition, Constraint } from '../../model/tables.ts'
import { isList, isSameJson, valueAt } from '../../model/json.ts'
import type { Path } from '../../model/path.ts'
import type { Conflict } from '../../model/rule.ts'
import { faultOf } from './constraint-fault.ts'
import { isUnset, type EffectiveConfig } from './effective.ts'
import { selectValues, type Selected } from './selector.ts'
import { typeFault } from './types.ts'

const dotted = (path: Path) =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1)

/** Values of the wrong type, which make the program fail to decode its file. */
export function typeConflicts(file: EffectiveConfig): readonly Conflict[] {
  const { component, document, version } = file
  return writtenFields(document, component.name, version).flatMap(({ path, field }) => {
    const value = valueAt(document, path)
    // Only items of lists can be null: a profile removes a key with it.
    if (!field || value === undefined || value === null) return []
    const right = typeFault(value, field.type)
    if (right === undefined) return []
    const message = `${dotted(path)} ${JSON.stringify(value)} must be ${right}; ${component.name} ${version} would not start`
    return [{ path: file.pathOf(path), message }]
  })
}

/** The program rejects the file, ignores the setting, or starts and then exits because of it. */
export type ViolationEffect = 'refused' | 'ignored' | 'late'

function effectOf(row: Constraint): ViolationEffect {
  if ('ignored' in row) return 'ignored'
  return row.late === undefined ? 'refused' : 'late'
}

/** Settings that violate a constraint with this effect. */
export function constraintConflicts(
  file: EffectiveConfig,
  effect: ViolationEffect,
): readonly Conflict[] {
  return constraintsIn(file.component.name, file.version)
    .filter((row) => effectOf(row) === effect)
    .flatMap((row) => conflictsOf(row, file))
}

function conflictsOf(row: Constraint, file: EffectiveConfig): readonly Conflict[] {
  const { component, version, document } = file
  const values = valuesFor(row, file)
  if (values.length === 0 || (row.when && !holds(row.when, file))) return []
  const partner = partnerOf(row)?.split('.')
  const isGiven = partner && valueAt(document, partner) !== undefined
  const other = isGiven ? file.placeOf(partner) : undefined
  const late = row.late === undefined ? 'would not start' : `would exit at start: ${row.late}`
  const end = 'ignored' in row ? '' : `; ${component.name} ${version} ${late}`
  return values.flatMap(({ path, value, at }): readonly Conflict[] => {
    const fault = faultOf(row, value, file)
    if (fault === undefined) return []
    const subject = `${dotted(path)}${at === 'key' ? '' : ` ${JSON.stringify(value)}`}`
    const message = `${subject}${conditionText(row, file)} ${fault}${end}`
    // Where the profile does not set the value, the finding points to the other setting that the row compares with.
    const place = file.placeOf(path) ?? other ?? file.pathOf(path)
    return [{ path: place, message, see: row.see, ...(at && { at }) }]
  })
}

/** The other setting without which the value would be fine: `with serializeImagePulls true`. */
function conditionText({ path, when }: Constraint, { at }: EffectiveConfig): string {
  if (when?.path === undefined || when.path === path) return ''
  return ` with ${when.path} ${JSON.stringify(at(when.path))}`
}

/**
 * The values that a row checks. A row that compares two fields checks the default of an omitted one, as long as the
 * other is set.
 */
function valuesFor(row: Constraint, file: EffectiveConfig): readonly Selected[] {
  const { component, document, version } = file
  const found = selectValues(document, row.path)
  const [one] = found
  const partner = partnerOf(row)
  if (!one && (partner === undefined || valueAt(document, partner.split('.')) === undefined))
    return []
  const field = fieldIn(component.name, row.path.replace(/(?:\[\]|\{.*\})$/, ''), version)
  if (!field) return []
  if (/[[{]/.test(row.path)) return found
  const value = file.at(row.path)
  if (value === undefined || (one && typeFault(one.value, field.type) !== undefined)) return []
  return [{ path: row.path.split('.'), value }]
}

/** The other field that a row compares with. */
function partnerOf(row: Constraint): string | undefined {
  if ('below' in row) return row.below
  if ('upTo' in row) return row.upTo
  if ('beyond' in row) return row.beyond
  return row.when?.path === row.path ? undefined : row.when?.path
}

function holds(condition: Condition, file: EffectiveConfig): boolean {
  const { gate, on, path, is, written, has, hasOther, below } = condition
  if (gate !== undefined && file.on(gate) !== on) return false
  if (condition.dropIns === true && !file.dropIns) return false
  if (path === undefined) return true
  const value = file.at(path)
  const list = isList(value) ? value : []
  if (written === true && valueAt(file.document, path.split('.')) === undefined) return false
  return (
    (is === undefined || isSameJson(value, is)) &&
    (has === undefined || has.some((word) => list.includes(word))) &&
    (hasOther === undefined || list.some((word) => word !== hasOther)) &&
    (below === undefined || (typeof value === 'number' && value < below))
  )
}

/** Zero values in the profile that the program replaces by a default. */
export function defaultedZeros(file: EffectiveConfig): readonly Conflict[] {
  const { component, document, version } = file
  return writtenFields(document, component.name, version).flatMap(({ key, path, field }) => {
    const value = valueAt(document, path)
    if (!field || value === undefined || value === null) return []
    if (field.type === 'object' || key.includes('[]')) return []
    if (typeFault(value, field.type) !== undefined) return []
    const { type } = field
    if (!isUnset(value, field) || isUnset(field.default, { type })) return []
    const place = file.placeOf(path)
    const become = JSON.stringify(field.default)
    const message = `${dotted(path)} ${JSON.stringify(value)} counts as unset: ${component.name} uses the default ${become}`
    return place ? [{ path: place, message }] : []
  })
}
