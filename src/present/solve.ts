// The result of `winnode solve` as text: the chosen values, or the fields that exclude each other.
import type { Finding } from '../model/finding.ts'
import { type Json, toText } from '../model/json.ts'
import { formatPath, type Path } from '../model/path.ts'
import { findingBlock } from './pretty.ts'
import type { Screen } from './screen.ts'
import { table } from './table.ts'

interface ShownChoice {
  readonly path: Path
  readonly value: Json
  readonly reason: string
}

/** Ends in a newline. */
export function solutionText(choices: readonly ShownChoice[], screen: Screen): string {
  return table(
    ['FIELD', 'VALUE', 'REASON'],
    choices.map(({ path, value, reason }) => [formatPath(path), toText(value), reason]),
    screen,
  )
}

interface ShownConflict {
  readonly fields: readonly Pick<ShownChoice, 'path' | 'value'>[]
  readonly findings: readonly Finding[]
}

/** Ends in a newline. */
export function conflictText({ fields, findings }: ShownConflict, screen: Screen): string {
  const rows = fields.map(({ path, value }) => [formatPath(path), toText(value)])
  const parts = [
    ...(rows.length > 0 ? [table(['FIELD', 'VALUE'], rows, screen)] : []),
    ...findings.map((finding) => `${findingBlock(finding, screen)}\n`),
  ]
  return parts.join('\n')
}
