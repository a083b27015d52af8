// Keys of a configuration file that differ only in case, which PowerShell's ConvertFrom-Json rejects.
import { fileOf, pathOf } from '../components/config-table.ts'
import { configTables } from '../components/index.ts'
import { isList, isObject, type Json } from '../model/json.ts'
import type { Path } from '../model/path.ts'
import { defineRule, type Conflict, when } from '../model/rule.ts'

export const keysCollide = defineRule({
  id: 'keys-differ-only-in-case',
  severity: 'error',
  summary: 'Keys of a map do not differ in case only.',
  remedy: 'Remove one of them.',
  see: 'https://learn.microsoft.com/powershell/module/microsoft.powershell.utility/convertfrom-json',
  check: (facts) =>
    configTables.flatMap((component) =>
      collisions(fileOf(component, facts), []).map((collision) => ({
        ...collision,
        path: pathOf(component, facts.spec, collision.path),
      })),
    ),
})

function collisions(value: Json | undefined, path: Path): readonly Conflict[] {
  if (isList(value)) return value.flatMap((item, at) => collisions(item, [...path, at]))
  if (!isObject(value)) return []
  const keys = Object.keys(value)
  const lower = keys.map((key) => key.toLowerCase())
  return keys.flatMap((key, at) => {
    const first = lower.indexOf(key.toLowerCase())
    const message = `${key} and ${keys[first] ?? ''} differ only in case`
    return [
      ...when(first !== at, [...path, key], message, { at: 'key' }),
      ...collisions(value[key], [...path, key]),
    ]
  })
}
