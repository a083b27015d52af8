// The docs: what is generated is what is checked in, and what is written works.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { jsonText } from '../src/commands/report.ts'
import { profileJsonSchema } from '../src/profile/json-schema.ts'
import { checkedIn } from './tools/checked-in.ts'
import { inProcess, root } from './tools/run.ts'

t.test('generated pages are what is checked in', async (t) => {
  checkedIn(t, 'docs/profile.schema.json', jsonText(profileJsonSchema()))
})

t.test('winnode schema prints the checked-in schema', async (t) => {
  const { stdout } = await inProcess(['schema'])
  t.equal(stdout, jsonText(profileJsonSchema()))
})

t.test('editors find the schema of each built-in profile', async (t) => {
  const folder = path.join(root, 'profiles')
  for (const name of readdirSync(folder)) {
    const text = readFileSync(path.join(folder, name), 'utf8')
    const schema = /^# yaml-language-server: \$schema=(\S+)$/m.exec(text)?.[1] ?? 'nothing'
    t.ok(existsSync(path.join(folder, schema)), `${name} names ${schema}`)
  }
})
