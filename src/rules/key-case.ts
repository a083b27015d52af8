// Keys of pass-through settings, which PowerShell on the node must be able to tell apart.
import { fileOf, placeOf } from '../components/component.ts'
import { components } from '../components/index.ts'
import { isList, isObject, type Json } from '../model/json.ts'
import type { Path } from '../model/path.ts'
import { defineRule, type Conflict } from '../model/rule.ts'

export const keysCollide = defineRule({
  id: 'keys-differ-only-in-case',
  severity: 'error',
  summary: 'Keys of one map differ in more than upper and lower case.',
  remedy: 'Remove one of them.',
  see: 'https://learn.microsoft.com/powershell/module/microsoft.powershell.utility/convertfrom-json',
  check: (facts) =>
    components.flatMap((component) =>
      twins(fileOf(component, facts), []).map((twin) => ({
        ...twin,
        path: placeOf(component, facts.spec, twin.path) ?? [component.home, 'config', ...twin.path],
      })),
    ),
})

/** PowerShell on the node reads these files, and takes no two such keys. */
function twins(value: Json | undefined, path: Path): readonly Conflict[] {
  if (isList(value)) return value.flatMap((item, at) => twins(item, [...path, at]))
  if (!isObject(value)) return []
  const keys = Object.keys(value)
  const lower = keys.map((key) => key.toLowerCase())
  return keys.flatMap((key, at) => {
    const first = lower.indexOf(key.toLowerCase())
    const here =
      first === at
        ? []
        : [
            {
              path: [...path, key],
              at: 'key' as const,
              message: `${key} and ${keys[first] ?? ''} differ only in case`,
            },
          ]
    return [...here, ...twins(value[key], [...path, key])]
  })
}
