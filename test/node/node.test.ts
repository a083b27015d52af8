// The node side: real scripts in real PowerShell, on a folder mounted as C:, for what is not Windows' alone.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { everyKind, nodeDocument } from '../host/every-kind.ts'
import { differences, tally, trouble } from '../host/host.ts'
import { scenario } from '../host/stage.ts'
import { root } from '../tools/run.ts'

const portable = ['directory', 'file', 'derivedFile', 'download', 'archive']
const steps = everyKind().steps.filter(({ kind }) => portable.includes(kind))
const image = steps.filter(({ phase }) => phase === 'image')

/** A file of a person that no run may touch. */
const own = 'Users/me.txt'

scenario('every script parses, and the module loads', async (t, { host }) => {
  const errors = await host.ps<readonly string[]>(
    `foreach ($file in Get-ChildItem -LiteralPath $with.folder) {
      $errors = $null
      $null = [System.Management.Automation.Language.Parser]::ParseFile($file.FullName, [ref]$null, [ref]$errors)
      foreach ($problem in $errors) { "$($file.Name): $($problem.Message)" }
    }`,
    { folder: path.join(root, 'dist/node') },
  )
  t.strictSame(errors, [])
  const exported = await host.ps(
    `Import-Module -Name $with.module -Force
    @((Get-Module -Name WinNode.Loop).ExportedCommands.Keys | Sort-Object) -join ' '`,
    { module: path.join(root, 'dist/node/WinNode.psm1') },
  )
  t.equal(
    exported,
    'ConvertTo-NodeJson Install-Node Join-Node Reset-Node Suspend-Node Test-Node Watch-Node',
  )
})

scenario('install changes everything once', async (t, { host, machine }) => {
  const drive = await machine(nodeDocument(image))
  writeFileSync(path.join(drive, own), 'mine')
  const first = await host.run('Install')
  t.match(
    first,
    { code: 0, errors: [], result: { exitCode: 0, restart: false } },
    trouble(first.result),
  )
  t.strictSame(tally(first.result), { Changed: image.length })
  const installed = await host.describe()

  const second = await host.run('Install')
  t.match(second, { code: 0, calls: [], writes: 0 })
  t.strictSame(tally(second.result), { Unchanged: image.length })
  t.strictSame(differences(installed, await host.describe()), [], 'nothing was touched')
  t.match(await host.run('Test'), { code: 0, result: { exitCode: 0 } })

  t.equal(readFileSync(path.join(drive, own), 'utf8'), 'mine')
  t.strictSame(
    JSON.parse(readFileSync(path.join(drive, 'etc/node.json'), 'utf8')),
    { name: 'node node-a', addresses: ['192.0.2.10'], at: '2026-01-02T03:04:05Z' },
    'a derived file has the facts of the node, and a text like a date stays a text',
  )
  const left = /winnode-(new|old|part|made)|\.sum$|winnode\/work\/./
  t.strictSame(
    files(drive).filter((name) => left.test(name)),
    [],
    'nothing of the work is left',
  )
})

scenario('what is spoiled by hand is found, and repaired', async (t, { host, machine }) => {
  const drive = await machine(nodeDocument(image))
  await host.run('Install')
  const installed = await host.describe()
  const spoil: Readonly<Record<string, string>> = {
    'containerd-config': 'Program Files/containerd/config.toml',
    'facts-file': 'etc/node.json',
    'kubelet-program': 'k/kubelet.exe',
    'flanneld-program': 'k/flanneld.exe',
    'containerd-archive': 'opt/cni/bin/host-local.exe',
  }
  const harms: Readonly<Record<string, (file: string) => void>> = {
    'is another file of the same size': (file) =>
      writeFileSync(file, 'x'.repeat(statSync(file).size)),
    'is gone': (file) => rmSync(file),
  }
  for (const [harm, apply] of Object.entries(harms)) {
    for (const file of Object.values(spoil)) apply(path.join(drive, file))
    rmSync(path.join(drive, 'var/lib/pods'), { recursive: true, force: true })
    const found = await host.run('Test')
    t.equal(found.result.exitCode, 4, harm)
    t.strictSame(
      found.result.steps.filter(({ state }) => state === 'Different').map(({ id }) => id),
      image.map(({ id }) => id).filter((id) => id in spoil || id === 'readable-folder'),
      `${harm}: found`,
    )
    const repaired = await host.run('Install')
    const count = Object.keys(spoil).length + 1
    t.strictSame(tally(repaired.result), { Unchanged: image.length - count, Changed: count })
    t.strictSame(differences(installed, await host.describe()), [], `${harm}: repaired`)
  }
})

scenario(
  '-WhatIf changes nothing, and lists what Install then does',
  async (t, { host, machine }) => {
    const drive = await machine(nodeDocument(image))
    mkdirSync(path.join(drive, 'k'))
    const before = await host.describe()
    const asked = await host.run('Install', { WhatIf: true })
    t.match(asked, { code: 0, calls: [], writes: 0 })
    t.strictSame(differences(before, await host.describe()), [])
    const done = await host.run('Install')
    t.strictSame(
      asked.result.steps.filter(({ state }) => state === 'WouldChange').map(({ id }) => id),
      done.result.steps.filter(({ state }) => state === 'Changed').map(({ id }) => id),
    )
    t.strictSame(tally((await host.run('Install', { WhatIf: true })).result), {
      Unchanged: image.length,
    })
  },
)

/** Paths below a drive. */
function files(drive: string): readonly string[] {
  return readdirSync(drive, { recursive: true }).map(String)
}
