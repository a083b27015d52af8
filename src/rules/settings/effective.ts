// The configuration that a program runs with: its whole file, and the defaults of omitted fields.
import { fileOf, pathOf, placeOf, type ConfigTable } from '../../components/config-table.ts'
import { fieldIn } from '../../matrix/config-fields.ts'
import { isOn } from '../../matrix/feature-gates.ts'
import type { FieldType } from '../../model/config-rows.ts'
import type { Facts } from '../../model/facts.ts'
import { parseDuration } from '../../go/duration.ts'
import { isObject, valueAt, type Json, type JsonObject } from '../../model/json.ts'
import type { Path } from '../../model/path.ts'

export interface EffectiveConfig {
  readonly component: ConfigTable
  readonly version: string
  readonly document: JsonObject
  /** The value of a field, or its default. Takes a dotted path. */
  readonly at: (path: string) => Json | undefined
  readonly typeOf: (path: string) => FieldType
  readonly gates: Readonly<Record<string, boolean>>
  readonly on: (gate: string) => boolean
  /** The kubelet merges the files of a drop-in folder over the document. */
  readonly dropIns: boolean
  /** The profile path that sets the value at a path of the file; undefined where winnode decides it. */
  readonly placeOf: (path: Path) => Path | undefined
  /** The same, or the one that could set it. */
  readonly pathOf: (path: Path) => Path
}

export function effectiveConfig(component: ConfigTable, facts: Facts): EffectiveConfig {
  const { spec } = facts
  const version = component.version(spec)
  const document = fileOf(component, facts)
  const gates = gatesIn(document)
  return {
    component,
    version,
    document,
    at: (path) => {
      const value = valueAt(document, path.split('.'))
      const field = fieldIn(component.name, path, version)
      return isUnset(value, field) ? (field?.default ?? value) : value
    },
    typeOf: (path) => fieldIn(component.name, path, version)?.type ?? 'string',
    gates,
    on: (gate) => isOn(gate, gates, version),
    dropIns: spec.kubelet.dropInDirectory !== undefined,
    placeOf: (path) => placeOf(component, spec, path),
    pathOf: (path) => pathOf(component, spec, path),
  }
}

function gatesIn({ featureGates }: JsonObject): Readonly<Record<string, boolean>> {
  const entries = Object.entries(isObject(featureGates) ? featureGates : {})
  return Object.fromEntries(
    entries.flatMap(([gate, on]) => (typeof on === 'boolean' ? [[gate, on] as const] : [])),
  )
}

interface Typed {
  readonly type: FieldType
  readonly nullable?: true
}

/** Whether Go sees the field as omitted: a zero value, unless its type is a pointer (`nullable`). */
export function isUnset(value: Json | undefined, field: Typed | undefined): boolean {
  if (value === undefined || value === null) return true
  if (field?.nullable === true) return false
  if (value === 0 || value === '' || value === false) return true
  const isTime = field?.type.startsWith('duration') === true
  return isTime && typeof value === 'string' && parseDuration(value) === 0
}
