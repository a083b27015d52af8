// The checks of a smoke test as a table.
import type { CheckResult } from '../smoke/result.ts'
import type { Screen } from './screen.ts'
import { table } from './table.ts'

export function smokeTable(results: readonly CheckResult[], screen: Screen): string {
  const columns = ['check', 'where', 'result', 'reason']
  const rows = results.map(({ title, where, outcome, message }) => [title, where, outcome, message])
  return table(columns, rows, screen)
}
