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

/** Keys that profiles do not inherit. */
const ownKeys: ReadonlySet<string> = new Set(['name', 'summary'])

export function checkHeader(layer: Layer): readonly Finding[] {
  return wanted.flatMap(({ key, value }) => {
    const found = layer.patch[key]
    if (found === value) return []
    const spot = { path: [key], place: layer.place([key]) }
    if (found === undefined) return [problem('header-missing', spot, `${key}: ${value}`)]
    return [problem('header-wrong', spot, `${key} is ${show(found)}, not ${value}`)]
  })
}

export function withoutHeader(layer: Layer): Layer {
  return without(layer, headerKeys)
}

export function withoutOwnKeys(layer: Layer): Layer {
  return without(layer, ownKeys)
}

function without(layer: Layer, keys: ReadonlySet<string>): Layer {
  const patch: JsonObject = Object.fromEntries(
    Object.entries(layer.patch).filter(([key]) => !keys.has(key)),
  )
  return { ...layer, patch }
}

function show(value: Json): string {
  return typeof value === 'object' ? 'not a text' : String(value).slice(0, 80)
}
