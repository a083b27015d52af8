// The table of fields as a flat list: description and value format of each field.
import type { FieldTexts } from '../model/field.ts'
import type { Json } from '../model/json.ts'
import { isWithin, type Path } from '../model/path.ts'
import { type Action, inside, root, type Schema } from './schema-steps.ts'

/** How a value is typed on the command line and in the wizard. */
export type Form =
  | { readonly kind: 'choice'; readonly choices: readonly (string | number)[] }
  | { readonly kind: 'confirm' | 'number' | 'text' | 'list' }
  /** A map from strings to strings or booleans. */
  | { readonly kind: 'pairs'; readonly of: 'text' | 'confirm' }
  /** Any other type. */
  | { readonly kind: 'json' }

export interface Field extends FieldTexts<Json> {
  readonly path: readonly string[]
  /** Absent if the field has no constant default. */
  readonly fallback?: Json
  readonly required: boolean
  /** Description of valid values. */
  readonly kind: string
  readonly form: Form
  /** A group contains fields and has no value itself. */
  readonly group: boolean
}

/** In the order of the table, a group before its fields. */
export const fields: readonly Field[] = fieldsOf(root, [])

/** The field at a path, or the one that contains it. */
export function fieldOf(path: Path): Field | undefined {
  return fields.find((field) => !field.group && isWithin(path, field.path))
}

function fieldsOf(schema: Schema, path: readonly string[]): readonly Field[] {
  return Object.entries(inside(schema).entries ?? {}).flatMap(([name, child]) => {
    const field = described(child, [...path, name])
    return field.group ? [field, ...fieldsOf(child, field.path)] : [field]
  })
}

function described(schema: Schema, path: readonly string[]): Field {
  const { wrapped, default: fallback } = schema
  return {
    path,
    what: '',
    ...metadataOf(schema),
    ...(fallback === undefined ? {} : { fallback }),
    required: wrapped === undefined,
    kind: kindOf(schema),
    form: formOf(inside(schema)),
    group: describesFields(inside(schema)),
  }
}

/** The fields of a group have descriptions; the keys of a value such as a taint do not. */
function describesFields({ entries }: Schema): boolean {
  return (
    entries !== undefined &&
    Object.values(entries).every((child) => metadataOf(child) !== undefined)
  )
}

function metadataOf({ wrapped, pipe }: Schema): FieldTexts<Json> | undefined {
  return (wrapped?.pipe ?? pipe ?? []).find((each) => 'metadata' in each)?.metadata
}

function formOf({ type, options = [], item, value }: Schema): Form {
  if (type === 'picklist') return { kind: 'choice', choices: options.filter(isScalar) }
  if (type === 'boolean') return { kind: 'confirm' }
  if (type === 'string') return { kind: 'text' }
  if (type === 'number') return { kind: 'number' }
  if (type === 'array' && item && inside(item).type === 'string') return { kind: 'list' }
  if (type !== 'record' || !value) return { kind: 'json' }
  const of = inside(value).type
  if (of === 'string') return { kind: 'pairs', of: 'text' }
  return of === 'boolean' ? { kind: 'pairs', of: 'confirm' } : { kind: 'json' }
}

function isScalar(option: unknown): option is string | number {
  return typeof option === 'string' || typeof option === 'number'
}

/** Description of valid values. */
function kindOf(schema: Schema): string {
  const bare = inside(schema)
  switch (bare.type) {
    case 'string':
      return messageOf(schema) ?? 'text'
    case 'number':
      return `a whole number${rangeOf(schema)}`
    case 'boolean':
      return 'true or false'
    case 'literal':
      return `always ${bare.literal ?? ''}`
    case 'picklist':
      return listed((bare.options ?? []).map(String))
    case 'array':
      return `a list; each item is ${kindOf(bare.item ?? bare)}`
    case 'record':
      return `a map; each key is ${kindOf(bare.key ?? bare)}, each value is ${kindOf(bare.value ?? bare)}`
    case 'strict_object':
      return `a map with ${Object.entries(bare.entries ?? {})
        .map(([name, child]) => `${name} (${kindOf(child)}${child.wrapped ? ', optional' : ''})`)
        .join(', ')}`
    case 'union':
      return String(bare.message)
    default:
      return 'anything'
  }
}

function checksOf(schema: Schema): readonly (Schema & Action)[] {
  const { pipe = [], wrapped } = schema
  const own = pipe.filter((each) => each.kind === 'validation')
  const [first] = pipe
  return [
    ...(wrapped ? checksOf(wrapped) : []),
    ...(first && first !== schema && first.pipe ? checksOf(first) : []),
    ...own,
  ]
}

function messageOf(schema: Schema): string | undefined {
  const messages = checksOf(schema).map(({ message }) => message)
  return messages.find((message) => typeof message === 'string')
}

function rangeOf(schema: Schema): string {
  const bound = (type: string) => checksOf(schema).find((check) => check.type === type)?.requirement
  const [from, to] = [bound('min_value'), bound('max_value')]
  return typeof from === 'number' && typeof to === 'number' ? ` from ${from} to ${to}` : ''
}

function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? `only ${last}` : `${words.slice(0, -1).join(', ')} or ${last}`
}
