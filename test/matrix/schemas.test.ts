// The tables that are JSON: the build checks them with the schema that editors read.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { toJsonSchema } from '@valibot/to-json-schema'
import t from 'tap'
import { checkTables } from '../../build/tables.mjs'
import { faultTables } from '../../src/model/known-faults.ts'
import { checkedIn } from '../tools/checked-in.ts'
import { root } from '../tools/run.ts'

t.test('editors have the schema of each table', async (t) => {
  for (const [name, schema] of Object.entries(faultTables)) {
    const text = `${JSON.stringify(toJsonSchema(schema), null, 2)}\n`
    checkedIn(t, `src/matrix/${name}.schema.json`, text)
  }
})

t.test('a row of another shape is named with its place', async (t) => {
  const tables = Object.keys(faultTables).map((name) => {
    const text = readFileSync(path.join(root, 'src/matrix', `${name}.json`), 'utf8')
    return [`${name}.json`, text.replace('"severity": "warning"', '"severity": "loud"')] as const
  })
  const folder = t.testdir(Object.fromEntries(tables))
  await t.rejects(checkTables(folder, faultTables), {
    message: /defects\.json: defects\.\d+\.severity: .*"loud"/,
  })
})
