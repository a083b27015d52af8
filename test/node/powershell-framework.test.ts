// What the node's scripts name of .NET and of PowerShell is in .NET Framework 4.7.2 and in 5.1.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { addressOf } from './dotnet-framework.ts'
import { frameworkRows, isMember, types, type Used } from './framework-rows.ts'
import { pipelineScripts } from './pipeline-scripts.ts'
import { everything, outputs, parameters } from './windows-powershell.ts'
import { missing, runScript } from '../tools/powershell.ts'
import { root } from '../tools/run.ts'

const templates = path.join(root, 'templates/node')

t.test('every type has its own page', async (t) => {
  const see = addressOf('System.IO.File')
  t.equal(see, 'https://learn.microsoft.com/dotnet/api/system.io.file?view=netframework-4.7.2')
  const names = outputs.map(({ from }) => from)
  t.strictSame(names, [...new Set(names)])
})

t.test('arguments that 5.1 would garble go to no program', { skip: missing('pwsh') }, async (t) => {
  const seam = path.join(root, 'templates/node/module/loop/host/program.ps1')
  const script = path.join(t.testdir({}), 'ask.ps1')
  const asked = String.raw`'', 'a"b', 'C:\a b\', 'C:\a b\\', 'C:\a\', 'C:\a b\c', 'a b'`
  writeFileSync(
    script,
    `. '${seam}'
function Resolve-NodeProgram { throw 'taken' }
$said = foreach ($each in ${asked}) {
  try { Invoke-Native -FilePath x -ArgumentList $each } catch { $_.Exception.Message }
}
ConvertTo-Json -InputObject @($said) -Compress
`,
  )
  const refused =
    'an argument of x is empty, holds a quote, or has a blank and a backslash at its end'
  t.strictSame(JSON.parse(runScript('pwsh', script)), [
    ...[refused, refused, refused, refused],
    ...['taken', 'taken', 'taken'],
  ])
})

// Which edition reads does not matter: the tables decide, not what this one has.
t.test('the scripts name what the tables list', { skip: missing('pwsh') }, async (t) => {
  const place = t.testdir({})
  const write = (name: string, text: string): void => {
    const file = path.join(place, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  for (const name of readdirSync(templates, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.ps1')) {
      write(`good/${name}`, readFileSync(path.join(templates, name), 'utf8'))
    }
  }
  for (const { name, text } of await pipelineScripts()) write(`good/pipeline/${name}`, text)
  const bad = frameworkRows.flatMap(({ id, bad: texts }) =>
    texts.map((text, index) => ({ id, text, name: `bad/${id}-${index}.ps1` })),
  )
  for (const { name, text } of bad) write(name, `${text}\n`)

  const reader = path.join(root, 'test/node/Read-Framework.ps1')
  const files: readonly Used[] = JSON.parse(runScript('pwsh', reader, ['-Folder', place]))
  const good = files.filter(({ name }) => name.startsWith('good/'))
  const keys = new Set(good.flatMap((file) => file.keys))
  for (const { id, find } of frameworkRows) {
    const found = good.flatMap((file) => find(file, keys).map((text) => `${file.name}:${text}`))
    t.strictSame(found, [], id)
  }
  for (const { id, text, name } of bad) {
    const row = frameworkRows.find((each) => each.id === id)
    const file = files.find((each) => each.name === name)
    const found = row && file ? row.find(file, keys) : []
    t.not(found.length, 0, `${id} can fail: ${text.replaceAll('\n', '; ')}`)
  }

  const members = good.flatMap((file) => file.members)
  const named = new Set(good.flatMap((file) => file.types))
  const idle = [...types].flatMap(([type, listed]) => {
    const unused = listed.filter(
      (each) => !members.some((use) => ['', type].includes(use.type) && isMember(each, use)),
    )
    if (listed.length === 0 && !named.has(type)) return [type]
    return unused.map((each) => `${type}: ${each}`)
  })
  t.strictSame(idle, [], 'the tables list no unused member')

  const asked = new Set(members.filter(({ count }) => count < 0).map(({ name }) => name))
  const shown = [...everything, ...outputs.flatMap(({ names }) => names.split(' '))]
  t.strictSame(
    shown.filter((name) => !asked.has(name)),
    [],
    'nor a property',
  )
  const passed = new Set(
    good.flatMap((file) => file.parameters.map(({ command, name }) => `${command} ${name}`)),
  )
  const listed = Object.entries(parameters).flatMap(([command, names]) =>
    names.split(' ').map((name) => `${command} ${name}`),
  )
  t.strictSame(
    listed.filter((pair) => !passed.has(pair)),
    [],
    'nor a parameter',
  )
})
