// Texts of the verdicts about pipelines: each that a program was given, and each that arrived.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Json } from '../../src/model/json.ts'
import { root } from '../tools/run.ts'

const files = ['capi-documents', 'cloudbase-init-userdata', 'packer-hcl-strings'] as const

/** Whole, each line, and what stands behind a key or a dash or between quotes. */
function parts(text: string): readonly string[] {
  const lines = text.split(/\r?\n/)
  const values = lines.flatMap((line) => [
    line.replace(/^\s*(?:- )?(?:[\w-]+: )?/, ''),
    line.replace(/^"(.*)"$/, '$1'),
  ])
  return [text, ...lines, ...values]
}

function textsOf(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return parts(value)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsOf(inner)])
}

/** Each once. A text with NUL is none that a file of any language here can hold. */
export const shownText: readonly string[] = [
  ...new Set(
    files.flatMap((name) => {
      const file = path.join(root, `test/upstream/verdicts/${name}.json`)
      return textsOf(JSON.parse(readFileSync(file, 'utf8')).cases)
    }),
  ),
].filter((text) => !text.includes('\0'))
