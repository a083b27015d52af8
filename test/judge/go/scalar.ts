// A decoded scalar as text; lists and maps, and what is absent, have none.
import type { Json } from '../../../src/model/json.ts'

export function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
