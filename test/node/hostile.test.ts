// Values of node.json reach Windows as they are, whatever is in them, and none of them is executed.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { sha256, type Step, writeBundle } from '../host/bundle.ts'
import { ownFolders, reset, succeeded } from '../host/course.ts'
import { nodeDocument } from '../host/every-kind.ts'
import { differences, type Host, tally } from '../host/host.ts'
import { scenario, scenarioOfAll } from '../host/stage.ts'

/** What would leave a trace where it is executed, and what shells and cmdlets take for more than text. */
const hostile = [
  '$(New-Item C:\\owned)',
  '`$(New-Item C:\\owned)`',
  "'; New-Item C:\\owned; '",
  '"; New-Item C:\\owned; "',
  '\u2018; New-Item C:\\owned; \u2019',
  '" & echo > C:\\owned & "',
  '{{name}} %PATH% ${env:PATH} $env:PATH',
  '2026-01-02T03:04:05Z',
  '\\/Date(0)\\/',
  '007',
  'true',
  ' lead and trail ',
  'tab\tnew\nline\r\n',
  'caf\u00e9 \u202eright \ud83d\ude00',
  '#Requires -Version 9',
  '-WhatIf',
  'ends in \\',
  '\\"',
]

/** All that a profile may hold: no NUL, no half of a pair. */
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({
      unit: fc.constantFrom(...Array.from('\'"`$(){}[]%!^&|<>;,\\/ \t\n\u2018\u2019\u201c#@*?~-=')),
      maxLength: 20,
    }),
    fc.constantFrom(...hostile),
  )
  .filter((value) => value !== '' && !/\p{Surrogate}|\0/u.test(value))

/** https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const fileName = text
  .map((value) => value.replaceAll(/[<>:"/\\|?*\p{Cc}]/gu, '').replace(/[ .]+$/, ''))
  .filter((value) => value !== '' && Buffer.byteLength(value) < 200)

/** host-local takes no other: https://github.com/containernetworking/cni/blob/main/pkg/utils/utils.go */
const identifier = fc.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,40}$/)

/** Names that a step goes by. */
const names = fc.record({
  directory: fileName,
  file: fileName,
  derivedFile: fileName,
  download: fileName,
  archive: fileName,
  registryKey: fileName,
  registryName: text,
  program: fileName,
  network: identifier,
  task: fileName,
  pageFile: fileName,
  process: fileName,
  // PATH is a list in one text, and variables are expanded in it.
  pathEntry: fileName.map((value) => `p${value.replaceAll(/[;%]/g, '')}`),
  // Windows PowerShell loses quotes on the way to a program; the module refuses them.
  image: text.map((value) => `i${value.replaceAll(/["@]/g, '')}`),
  containerId: identifier,
})

/** What a step gives to what goes by such a name. */
const values = fc.record({
  file: text,
  derivedFile: text,
  string: text,
  expandString: text,
  multiString: fc.array(text, { minLength: 1, maxLength: 3 }),
  displayName: text,
  group: text,
  description: text,
  arguments: fc.array(fc.oneof(text, fc.constant('')), { maxLength: 4 }),
  environment: text,
  log: fileName,
})

const base = JSON.stringify({ at: '' })

type Names = typeof names extends fc.Arbitrary<infer T> ? T : never
type Values = typeof values extends fc.Arbitrary<infer T> ? T : never

const pinned = { kind: 'pinned', sha256: '' } as const
const recovery = { restartDelays: [5000], resetAfter: 900 }

function stepsOf(name: Names, value: Values): readonly Step[] {
  const key = `HKLM\\SOFTWARE\\winnode-hostile\\${name.registryKey}`
  const registry = (suffix: string, type: string, data: string | readonly string[]) => ({
    kind: 'registryValue',
    key,
    name: `${name.registryName}${suffix}`,
    type,
    value: data,
  })
  const service = {
    kind: 'service',
    displayName: value.displayName,
    description: value.description,
    command: [`C:\\h\\bin\\${name.program}`, ...value.arguments].map((one) => ({ text: one })),
    start: 'demand',
    dependsOn: [],
    environment: [{ name: 'HOSTILE', value: { text: value.environment } }],
    ...recovery,
  }
  const store = { network: name.network, dataDirectory: 'C:\\h\\store' }
  const steps = [
    { kind: 'directory', path: `C:\\h\\directory\\${name.directory}` },
    {
      kind: 'file',
      path: `C:\\h\\file\\${name.file}`,
      source: 'files/hostile.txt',
      sha256: sha256(value.file),
    },
    {
      kind: 'derivedFile',
      path: `C:\\h\\derivedFile\\${name.derivedFile}`,
      source: 'files/hostile.json',
      sha256: sha256(base),
      derive: [{ pointer: '/at', value: [{ text: value.derivedFile }] }],
    },
    {
      kind: 'download',
      path: `C:\\h\\download\\${name.download}`,
      url: 'https://example.com/hostile.exe',
      checksum: pinned,
    },
    {
      kind: 'archive',
      url: 'https://example.com/hostile.zip',
      checksum: pinned,
      format: 'zip',
      members: [{ member: 'a.exe', path: `C:\\h\\archive\\${name.archive}` }],
    },
    registry('1', 'String', value.string),
    registry('2', 'ExpandString', value.expandString),
    registry('3', 'MultiString', value.multiString),
    {
      kind: 'firewallRule',
      name: 'winnode-hostile',
      displayName: value.displayName,
      group: value.group,
      protocol: 'TCP',
      ports: '1',
      from: [],
    },
    { ...service, name: 'native', scm: 'native' },
    {
      ...service,
      name: 'wrapped',
      scm: 'wrapped',
      wrapper: `C:\\h\\bin\\${name.program}`,
      log: { path: `C:\\h\\${value.log}`, maxSizeMiB: 1, maxFiles: 1 },
    },
    {
      kind: 'bootTask',
      name: 'winnode-hostile',
      description: value.description,
      path: `C:\\h\\task\\${name.task}`,
    },
    { kind: 'pageFile', path: `C:\\${name.pageFile}`, sizeMiB: 1 },
    { kind: 'defenderExclusion', of: 'process', path: `C:\\h\\${name.process}` },
    { kind: 'pathEntry', path: `C:\\h\\${name.pathEntry}` },
    { kind: 'imagePull', image: name.image, crictl: 'C:\\h-given\\crictl.exe' },
    { kind: 'hostEndpoint', ...store, offset: 200, containerId: `${name.containerId}h` },
    {
      kind: 'addressReservation',
      ...store,
      fact: 'sourceVip',
      hostLocal: 'C:\\h-given\\host-local.exe',
      containerId: name.containerId,
    },
  ]
  return steps.map((step, index) => ({
    restart: 'never',
    ...step,
    id: `${step.kind}-${index}`,
    phase: 'image',
    after: [],
  }))
}

/** The files and settings for a name and a value; `found` reads the same of the machine. */
function wantedOf(name: Names, value: Values) {
  const program = `C:\\h\\bin\\${name.program}`
  return {
    files: {
      directory: [name.directory],
      file: [name.file],
      derivedFile: [name.derivedFile],
      download: [name.download],
      archive: [name.archive],
      task: [name.task],
      store: [name.network],
    },
    file: value.file,
    derivedFile: { at: value.derivedFile },
    store: [name.containerId, `${name.containerId}h`],
    strings: [value.string, value.expandString],
    multiString: value.multiString,
    rule: [value.displayName, value.group],
    services: [
      { argv: [program, ...value.arguments], texts: [value.displayName, value.description] },
      { argv: [program], texts: [value.displayName, value.description] },
    ],
    environment: `HOSTILE=${value.environment}`,
    application: [program, 'C:\\h\\bin', `C:\\h\\${value.log}`],
    parameters: value.arguments,
    task: [
      value.description,
      `-NoProfile -NonInteractive -ExecutionPolicy Bypass -File "C:\\h\\task\\${name.task}\\Install-WinNode.ps1" -Phase boot`,
    ],
    pageFile: `C:\\${name.pageFile} 1 1`,
    exclusion: `C:\\h\\${name.process}`,
    path: `%SystemRoot%\\system32;%SystemRoot%;C:\\h\\${name.pathEntry}`,
    image: name.image,
  }
}

interface Found {
  readonly strings: readonly string[]
  readonly multiString: readonly string[]
  readonly rule: readonly string[]
  readonly services: readonly { readonly line: string; readonly texts: readonly string[] }[]
  readonly environment: string
  readonly application: readonly string[]
  readonly parameters: string
  readonly task: readonly string[]
  readonly pageFile: string
  readonly exclusion: string
  readonly path: string
  readonly image: string
}

const read = `
  $registry = [WinNodeHost.Registry]
  $key = "SOFTWARE\\winnode-hostile\\$($with.registryKey)"
  $services = 'SYSTEM\\CurrentControlSet\\Services'
  $rule = Get-NetFirewallRule -Name winnode-hostile
  $task = Get-ScheduledTask -TaskName winnode-hostile
  $manager = 'SYSTEM\\CurrentControlSet\\Control\\Session Manager'
  @{
    strings     = @(1, 2 | ForEach-Object { $registry::Get($key, "$($with.registryName)$_") })
    multiString = @($registry::Get($key, "$($with.registryName)3"))
    rule        = @($rule.DisplayName, $rule.Group)
    services    = @('native', 'wrapped' | ForEach-Object {
        @{
          line  = $registry::Get("$services\\$_", 'ImagePath')
          texts = @($registry::Get("$services\\$_", 'DisplayName'), $registry::Get("$services\\$_", 'Description'))
        }
      })
    environment = @($registry::Get("$services\\native", 'Environment'))[0]
    application = @('Application', 'AppDirectory', 'AppStdout' |
      ForEach-Object { $registry::Get("$services\\wrapped\\Parameters", $_) })
    parameters  = $registry::Get("$services\\wrapped\\Parameters", 'AppParameters')
    task        = @($task.Description, $task.Actions[0].Arguments)
    pageFile    = @($registry::Get("$manager\\Memory Management", 'PagingFiles'))[0]
    exclusion   = @((Get-MpPreference).ExclusionProcess)[0]
    path        = $registry::Get("$manager\\Environment", 'Path')
    image       = & (Get-Module -Name host) { $script:Machine.Images[-1] }
  }`

async function foundOf(host: Host, drive: string, name: Names) {
  const found = await host.ps<Found>(read, name)
  const folder = (kind: string) => readdirSync(path.join(drive, 'h', kind)).sort()
  const content = (kind: 'file' | 'derivedFile') =>
    readFileSync(path.join(drive, 'h', kind, name[kind]), 'utf8')
  const store = path.join(drive, 'h/store', name.network)
  const owners = readdirSync(store).filter((file) => !/^(last_reserved_ip.*|lock)$/.test(file))
  return {
    ...found,
    services: found.services.map(({ line, texts }) => ({ argv: argvOf(line), texts })),
    parameters: argvOf(`x ${found.parameters}`).slice(1),
    files: Object.fromEntries(
      ['directory', 'file', 'derivedFile', 'download', 'archive', 'task', 'store'].map((kind) => [
        kind,
        folder(kind),
      ]),
    ),
    file: content('file'),
    derivedFile: JSON.parse(content('derivedFile')),
    store: owners
      .map((file) => readFileSync(path.join(store, file), 'utf8').split(/\r?\n/)[0])
      .sort(),
  }
}

/** A command line taken apart as programs do: https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments */
function argvOf(line: string): readonly string[] {
  const [, quoted, bare, rest = ''] = /^(?:"([^"]*)"|([^ \t]*))([^]*)$/.exec(line) ?? []
  const argv = [quoted ?? bare ?? '']
  let word: string | undefined
  let inside = false
  for (let at = 0; at < rest.length;) {
    const slashes = /^\\*/.exec(rest.slice(at))?.[0].length ?? 0
    const next = rest[at + slashes]
    if (next === '"') {
      word = `${word ?? ''}${'\\'.repeat(slashes >> 1)}${slashes % 2 === 1 ? '"' : ''}`
      if (slashes % 2 === 0) inside = !inside
      at += slashes + 1
    } else if (slashes > 0) {
      word = `${word ?? ''}${'\\'.repeat(slashes)}`
      at += slashes
    } else if (!inside && (next === ' ' || next === '\t')) {
      if (word !== undefined) argv.push(word)
      word = undefined
      at += 1
    } else {
      word = `${word ?? ''}${String(next)}`
      at += 1
    }
  }
  return word === undefined ? argv : [...argv, word]
}

/** What the steps need beside the bundle. */
const given = `
  $null = New-Item -ItemType Directory -Path 'C:\\h-given'
  Set-Content -LiteralPath 'C:\\h-given\\crictl.exe' -Value 'program crictl'
  Set-Content -LiteralPath 'C:\\h-given\\host-local.exe' -Value 'program host-local'
  Set-HostFact -Name Features -Value @{ Containers = 'Installed'; 'Windows-Defender' = 'Installed' }
  Add-HostNetwork -Name flannel.4096 -Type L2Bridge -Subnet 10.244.3.0/24
  Start-Sleep -Seconds 9; Update-HostCommand
  Set-HostServiceValue -Name containerd -Value ImagePath -Kind String -Data 'C:\\containerd.exe'
`

/** A page file counts after a restart. */
async function settle(host: Host): Promise<void> {
  for (;;) {
    await host.ps('Set-HostFact -Name Running -Value @{ containerd = 0 }')
    const run = await host.run('Install')
    if (run.result.exitCode === 0) return
    if (run.result.exitCode !== 3010) succeeded(run)
    await host.restart()
  }
}

/** Where the plugin keeps addresses is the plugin's, an image is containerd's, and the bundle the caller's. */
const others = /^path C:\\(h(\\store.*)?|win-node\\.*)$|^image /

scenarioOfAll('every text of every kind of step', async (t, { host, artifacts, machine }) => {
  let runs = 0
  const property = fc.asyncProperty(names, values, values, async (name, first, second) => {
    runs += 1
    const filesOf = (value: Values) => ({
      'files/hostile.txt': value.file,
      'files/hostile.json': base,
    })
    const drive = await machine(nodeDocument(stepsOf(name, first)), filesOf(first))
    try {
      await host.ps(given)
      const before = await host.describe()
      for (const value of [first, second]) {
        const steps = stepsOf(name, value)
        writeBundle(path.join(drive, 'win-node'), nodeDocument(steps), artifacts, filesOf(value))
        await settle(host)
        assert.deepEqual(await foundOf(host, drive, name), wantedOf(name, value))
        assert.deepEqual(tally((await host.run('Test')).result), { Unchanged: steps.length })
      }
      assert.ok(!existsSync(path.join(drive, 'owned')), 'nothing was executed')
      await reset(host)
      const left = differences(before, await host.describe(), ownFolders)
      assert.deepEqual(
        left.filter((line) => !others.test(line.slice(0, line.indexOf(': ')))),
        [],
      )
    } finally {
      rmSync(drive, { recursive: true })
    }
  })
  // What fails says by which seed and path, and with which values.
  await fc.assert(property, { seed: 20_261_121, numRuns: 8, endOnFailure: true })
  t.equal(runs, 8)
})

scenario('texts of node.json arrive as they are, and run nothing', async (t, { host, machine }) => {
  const texts = [...hostile, '', 'a'.repeat(65_536)]
  const empty = JSON.stringify(Object.fromEntries(texts.map((_, index) => [`k${index}`, ''])))
  const numbers = ['1.50', '-0.10', '2147483648', '0.1']
  const document = empty.replace('}', `,"numbers":[${numbers.join()}]}`)
  const step: Step = {
    id: 'hostile',
    kind: 'derivedFile',
    phase: 'image',
    after: [],
    restart: 'never',
    path: 'C:\\hostile $(1) [a] \u2019\u00e9.json',
    source: 'files/hostile.json',
    sha256: sha256(document),
    derive: texts.map((one, index) => ({ pointer: `/k${index}`, value: [{ text: one }] })),
  }
  const drive = await machine(nodeDocument([step]), { 'files/hostile.json': document })
  const run = await host.run('Install')
  t.match(run, { code: 0, errors: [] }, run.result.message)
  const written = readFileSync(path.join(drive, 'hostile $(1) [a] \u2019\u00e9.json'), 'utf8')
  t.strictSame(Object.values(JSON.parse(written)).slice(0, -1), texts)
  const [, list = ''] = /"numbers": ?\[([^\]]*)\]/.exec(written) ?? []
  t.strictSame(list.trim().split(/,\s*/), numbers, 'numbers keep their digits')
  t.notOk(existsSync(path.join(drive, 'owned')), 'nothing was executed')
  t.strictSame(tally((await host.run('Install')).result), { Unchanged: 1 })
})
