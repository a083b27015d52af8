// Runs drift on a rendered bundle, or on modified copies of it.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import type { Json, JsonObject } from '../../src/model/json.ts'
import { inProcess, root } from '../tools/run.ts'
import { breaches } from '../tools/json-schema.ts'

export const profile = 'ws2022-flannel-overlay'

interface Difference {
  readonly id: string
  readonly subject: string
  readonly severity: string
  readonly weight: string
  readonly owner: string
  readonly need: string
  readonly was: Json
  readonly should: Json
  readonly message: string
  readonly remedy: string
  readonly place: { readonly file: string; readonly line: number }
  readonly field: string
  readonly fieldFrom: string
  readonly nodes: readonly string[]
  readonly variants: readonly { readonly message: string }[]
}

export interface Answer {
  readonly exit: number
  readonly need: string
  readonly nodes: number
  readonly drift: readonly Difference[]
}

const schema = JSON.parse(
  readFileSync(path.join(root, 'docs/drift.schema.json'), 'utf8'),
) as JsonObject

export async function ask(...argv: readonly string[]): Promise<Answer> {
  const { stdout, code } = await inProcess(['drift', ...argv, '--json'])
  const answer = JSON.parse(stdout) as Answer & JsonObject
  t.strictSame(breaches(schema, answer), [], 'the answer is as docs/drift.schema.json says')
  t.equal(answer.exit, code)
  for (const { id, severity, weight } of answer.drift)
    t.not(
      severity,
      weight === 'informational' ? 'error' : 'info',
      `${id}: ${weight} as ${severity}`,
    )
  return answer
}

export const scratch = t.testdir({})
export const rendered = path.join(scratch, 'rendered')
await inProcess(['render', profile, '--out', rendered])

let copies = 0
/** A separate bundle, whose files are modified. */
export function copyOf(edits: Readonly<Record<string, (text: string) => string>> = {}): string {
  copies += 1
  const folder = path.join(scratch, `copy-${copies}`)
  cpSync(rendered, folder, { recursive: true })
  for (const [file, edit] of Object.entries(edits)) {
    const name = path.join(folder, file)
    const before = readFileSync(name, 'utf8')
    const after = edit(before)
    t.not(after, before, `${file} is modified`)
    writeFileSync(name, after)
  }
  return folder
}

export const swap = (from: string | RegExp, to: string) => (text: string) => text.replace(from, to)
