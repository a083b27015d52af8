// Asks, in a process of its own, what profiles of every shape take.
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

/** Far above what the rows take, however busy the machine is; what is not linear takes hours. */
const patience = 15 * 60_000

/** What the built program took for profiles of every shape, of those sizes. */
export function ask(
  way: 'steps' | 'time',
  sizes: readonly number[],
  pattern: string,
): readonly Row[] {
  const script = path.join(root, 'test/tools/answer-shapes.mjs')
  const { stdout, status, stderr } = spawnSync(
    process.execPath,
    ['--max-old-space-size=256', script, way, sizes.join(), pattern, 'validate'],
    {
      env: { ...process.env, NODE_OPTIONS: '' },
      encoding: 'utf8',
      timeout: patience,
      maxBuffer: 2 ** 28,
    },
  )
  const rows = stdout.split('\n').filter((line) => line !== '')
  if (status !== 0)
    throw new Error(`${stderr}\nended with ${status} after ${rows.at(-1) ?? 'none'}`)
  return rows.map((line): Row => JSON.parse(line))
}
