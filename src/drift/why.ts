// Why: what a field of a rendered file is for, from the rows that explain each.
import { flagsOf } from '../artifacts/settings/index.ts'
import type { Path } from '../model/path.ts'
import type { Setting, Settings } from '../model/setting.ts'

/** The row of a field, or of the nearest that it lies in; `*` in a row stands for any key of a map. */
export function whyOf(settings: Settings, steps: readonly string[]): Setting | undefined {
  const rows = Object.entries(settings).map(([row, setting]) => ({ parts: partsOf(row), setting }))
  for (let length = steps.length; length > 0; length -= 1) {
    const found = rows.find(({ parts }) => parts.length === length && fits(parts, steps))
    if (found) return found.setting
  }
  return undefined
}

/** That of a flag or a variable of a service: in node.json, by the id of the step that registers it. */
export function whyOfFlag([list, step, part, name]: Path): Setting | undefined {
  if (list !== 'steps' || (part !== 'command' && part !== 'environment')) return undefined
  return flagsOf(String(step).replace(/^service-/, ''))?.[String(name)]
}

function partsOf(row: string): readonly string[] {
  const parts = row.matchAll(/"([^"]*)"|\[\]|[^."[\]]+/g)
  return Array.from(parts, ([whole, quoted]) => quoted ?? whole)
}

function fits(parts: readonly string[], steps: readonly string[]): boolean {
  return parts.every(
    (part, index) => part === steps[index] || (part === '*' && steps[index] !== '[]'),
  )
}
