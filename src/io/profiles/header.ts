// The header of a profile: the keys for its type, which are not settings.
import type { Finding } from '../../model/finding.ts'
import type { Json, JsonObject } from '../../model/json.ts'
import type { Layer } from '../../model/layer.ts'
import { problem } from '../problems.ts'

const wanted = [
  { key: 'apiVersion', value: 'winnode/v1' },
  { key: 'kind', value: 'NodeProfile' },
] as const

export const headerKeys: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'extends', 'facts'])

/** Texts that profiles do not inherit. */
const ownKeys: ReadonlySet<string> = new Set(['name', 'summary'])

export function checkHeader(layer: Layer): readonly Finding[] {
  const spotOf = (key: string) => ({ path: [key], place: layer.place([key]) })
  const wrong = wanted.flatMap(({ key, value }) => {
    const found = layer.patch[key]
    if (found === undefined || found === value) return []
    const empty = found === null || found === ''
    const about = `${key} is ${empty ? 'empty' : show(found)}, expected ${value}`
    const remedy = empty ? `Write ${key}: ${value}.` : undefined
    return [problem('header-wrong', spotOf(key), about, remedy)]
  })
  const missing = wanted.filter(({ key }) => layer.patch[key] === undefined)
  const [first] = missing
  if (!first) return wrong
  const lines = missing.map(({ key, value }) => `${key}: ${value}`).join(' and ')
  const verb = missing.length > 1 ? 'are' : 'is'
  return [problem('header-missing', spotOf(first.key), `${lines} ${verb}`), ...wrong]
}

export function withoutHeader(layer: Layer): Layer {
  return without(layer, (key) => headerKeys.has(key))
}

/** Any other value of these keys stays, to be refused. */
export function withoutOwnKeys(layer: Layer): Layer {
  return without(layer, (key, value) => ownKeys.has(key) && typeof value === 'string')
}

function without(
  layer: Layer,
  isLeftOut: (key: string, value: Json | undefined) => boolean,
): Layer {
  const patch: JsonObject = Object.fromEntries(
    Object.entries(layer.patch).filter(([key, value]) => !isLeftOut(key, value)),
  )
  return { ...layer, patch }
}

function show(value: Json): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : kindOf(value)
}

/** What a value is that should be a text. */
export function kindOf(value: Json): string {
  if (value === null) return 'nothing'
  if (typeof value !== 'object') return `the ${typeof value} ${String(value)}`
  return Array.isArray(value) ? 'a list' : 'a map'
}
