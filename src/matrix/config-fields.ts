// A path into a component's configuration file: the field there, and from when to when it exists.
import type { ConfigField } from '../model/config-rows.ts'
import { inRange } from './version.ts'

export type FieldTable = Readonly<Record<string, ConfigField>>

export type FieldVerdict =
  | { readonly kind: 'known'; readonly field: ConfigField; readonly linuxOnly: boolean }
  | { readonly kind: 'added'; readonly in: string }
  | { readonly kind: 'removed'; readonly in: string }
  /** `name` is the part of the path that no version has. */
  | { readonly kind: 'unknown'; readonly name: string }

/** Keys of a map, such as `evictionHard."memory.available"`, count as their map. */
export function judgeField(
  table: FieldTable,
  path: readonly (string | number)[],
  version: string,
): FieldVerdict {
  let name = ''
  let field: ConfigField | undefined
  let linuxOnly = false
  for (const step of path) {
    if (field && isLeaf(field)) break
    name = nameOf(name, step)
    if (typeof step === 'number') continue
    field = Object.hasOwn(table, name) ? table[name] : undefined
    if (!field) return { kind: 'unknown', name }
    if (field.added && inRange(version, `<${field.added}`))
      return { kind: 'added', in: field.added }
    if (field.removed && inRange(version, `>=${field.removed}`))
      return { kind: 'removed', in: field.removed }
    linuxOnly ||= field.linuxOnly === true
  }
  return field ? { kind: 'known', field, linuxOnly } : { kind: 'unknown', name }
}

function nameOf(parent: string, step: string | number): string {
  if (typeof step === 'number') return `${parent}[]`
  return parent === '' ? step : `${parent}.${step}`
}

function isLeaf({ type }: ConfigField): boolean {
  return type !== 'object' && type !== 'list of objects'
}
