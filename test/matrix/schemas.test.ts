// The tables that are JSON: the build checks them with the schema that editors read.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { editorSchema, readTables } from '../../build/tables.mjs'
import * as shapes from '../../src/model/tables.ts'
import { checkedIn } from '../tools/checked-in.ts'
import { root } from '../tools/run.ts'

const { tableSchemas } = shapes
const folder = path.join(root, 'src/matrix/tables')

t.test('editors have the schema of each table', async (t) => {
  for (const name of Object.keys(tableSchemas))
    checkedIn(t, `src/matrix/schemas/${name}.json`, editorSchema(name, shapes))
  const names = Object.keys(tableSchemas).map((name) => `${name}.json`)
  t.strictSame(readdirSync(folder), names.toSorted(), 'a schema for each table')
})

/** A table, a text in it, what replaces it, and the place that the error names. */
const faults = [
  ['defects', '"severity": "warning"', '"severity": "loud"', /defects\.\d+\.severity: .*"loud"/],
  ['kubernetes', '"endOfLife": "2027-10-28"', '"endOfLife": "soon"', /minors\.12\.endOfLife: /],
  ['kubernetes', '"newestPatch": "1.36.6"', '"newestPatch": "1.36"', /minors\.11\.newestPatch: /],
  ['containerd', '"newestPatch": "1.6.39"', '"newestPatch": "v1.6.39"', /lines\.2\.newestPatch: /],
  ['containerd', '"maxConfigVersion": 4', '"maxConfigVersion": 5', /lines\.\d\.maxConfigVersion: /],
  ['windows', '"ws2025": {', '"ws2028": {', /releases\.ws2025: /],
  ['tools', '"version": "0.31.8",', '', /tools\.windows-exporter\.version: /],
  ['traits', '"range": ">=1.27"', '"rnage": ">=1.27"', /traits\.[\w-]+\.rnage: /],
  ['sandbox-images', '"builds": [17763]', '"builds": ["ws2019"]', /tags\.0\.builds\.0: /],
  ['artifact-sources', '"shape": "bare"', '"shape": "none"', /sources\.\d+\.checksum\.shape: /],
  ['constraints', '"form": "CPU set"', '"form": "CPU sets"', /kubelet\.\d+\.rows\.\d+: /],
  ['sizing-models', '"kind": "scale"', '"kind": "double"', /kube\.cpu\.kind: /],
  ['diagnoses', '"id": "^revision-not"', '"id": "^(revision"', /topics\.Windows\.0\.sign/],
  ['skew', '"rules": [', '"rules": [,', /skew\.json: Unexpected token/],
] as const

for (const [name, text, wrong, place] of faults)
  t.test(`a wrong row of ${name} is named with its file and place`, async (t) => {
    const copy = t.testdir({})
    cpSync(folder, copy, { recursive: true })
    const file = path.join(copy, `${name}.json`)
    const good = readFileSync(file, 'utf8')
    t.ok(good.includes(text), text)
    writeFileSync(file, good.replace(text, wrong))
    const { message } = await readTables(copy, tableSchemas).then(
      () => ({ message: 'no fault' }),
      (error: unknown) => error as Error,
    )
    t.ok(message.startsWith(`${file}: `), message)
    t.match(message, place)
  })
