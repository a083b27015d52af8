// One field of a Node object that differs from the profile.
import type { DriftId } from '../model/drift-kinds.ts'
import type { Drift } from '../model/drift.ts'
import { type Json, type JsonObject, valueAt } from '../model/json.ts'
import type { Need } from '../model/need.ts'
import type { Path } from '../model/path.ts'
import { nodeDrift } from './node-drift.ts'
import { formatValue } from './format-value.ts'

interface NodeDifference {
  readonly id: DriftId
  readonly what: string
  readonly name: string
  readonly was: Json | undefined
  readonly should: Json
  readonly field: Path
  readonly need: Need
  readonly remedy: string
}

/** None if the values are the same. */
export function nodeDifference(difference: NodeDifference): readonly Drift[] {
  const { what, name, was, should, ...rest } = difference
  if (was === should) return []
  const is = was === undefined ? 'missing' : formatValue(was)
  return [
    nodeDrift({
      ...rest,
      severity: 'warning',
      weight: 'drift',
      subject: `node/${what}`,
      message: `${name}: ${is}, expected ${formatValue(should)}`,
      ...(was !== undefined && { was }),
      should,
      owner: 'theirs',
    }),
  ]
}

export function text(node: JsonObject, path: Path): string | undefined {
  const value = valueAt(node, path)
  return typeof value === 'string' ? value : undefined
}
