// Runs run-shapes.mjs in a child process and parses its output.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { root } from './run.ts'

interface Answer {
  readonly code: number
  readonly took: number
  readonly output: number
}

export interface Row {
  readonly name: string
  readonly answers: readonly Answer[]
}

/** Enough on any machine for linear time; anything worse takes hours. */
const timeout = 15 * 60_000

/** The cost of each generated profile, for each of the sizes. */
export function costsOf(
  way: 'steps' | 'time',
  sizes: readonly number[],
  pattern: string,
): readonly Row[] {
  const script = path.join(root, 'test/tools/run-shapes.mjs')
  const { stdout, status, stderr } = spawnSync(
    process.execPath,
    ['--max-old-space-size=256', script, way, sizes.join(), pattern, 'validate'],
    { encoding: 'utf8', timeout, maxBuffer: 2 ** 28 },
  )
  const rows = stdout.split('\n').filter((line) => line !== '')
  if (status !== 0) throw new Error(`${stderr}\nreturned ${status} after ${rows.at(-1) ?? 'none'}`)
  return rows.map((line): Row => JSON.parse(line))
}
