// The scripts of the node before any of them runs: their style, their syntax, and what they call.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { nodeModules } from '../../build/node.mjs'
import { healthKinds } from '../../src/model/health.ts'
import { preflightKinds } from '../../src/model/preflight.ts'
import type { NodeDocument } from '../host/bundle.ts'
import { everyKind } from '../host/every-kind.ts'
import { additions, inBox, programs } from './commands.ts'
import { pipelineScripts } from './pipeline-scripts.ts'
import { readScript, type Role, type Script } from './script.ts'
import { suspiciousWords } from './suspicious-words.ts'
import { standIns } from './step-kinds.ts'
import { type StyleRow, styleRows, verbs } from './style-rows.ts'
import { editions, missing, runScript } from '../tools/powershell.ts'
import { inProcess, root } from '../tools/run.ts'
import { everything } from '../tools/everything.ts'

const folder = t.testdir({ bundle: {} })
const bundle = path.join(folder, 'bundle/node')
const outcome = await inProcess(['render', 'ws2022-flannel-overlay', '--out', bundle])
t.equal(outcome.code, 0, outcome.stderr)

const templates = path.join(root, 'templates/node')
const golden = path.join(root, 'test/golden')
const scripts: readonly Script[] = [
  ...scriptsBelow(templates).map((name) => read(templates, name, roleOf(name))),
  ...nodeModules.map(({ file }) => read(bundle, file, 'module')),
  ...scriptsBelow(golden).map((name) => read(golden, name, roleOf(path.posix.basename(name)))),
  ...(await pipelineScripts()).map(({ name, text }) => readScript(name, 'pipeline', text)),
]
const templateNames = new Set(readdirSync(templates).filter((name) => name.endsWith('.ps1')))
/** The modules as their parts, which the build puts into a block. */
const moduleText = nodeModules
  .map(({ file }) => unwrapped(read(bundle, file, 'module').text))
  .join('\n')

function unwrapped(text: string): string {
  return text
    .replace(/^Import-Module -Name [^]*?^\. \$loop \{$/m, '')
    .replace(/^\}\nImport-Module .*\n$/m, '')
}

function roleOf(name: string): Role {
  if (name.endsWith('.psm1')) return 'module'
  return name.includes('/') ? 'part' : 'entry'
}

function read(below: string, name: string, role: Role): Script {
  return readScript(name, role, readFileSync(path.join(below, name), 'utf8'))
}

/** Paths of scripts, with forward slashes; none where there is no such folder. */
function scriptsBelow(below: string): readonly string[] {
  try {
    const names = readdirSync(below, { recursive: true, encoding: 'utf8' })
    return names
      .map((name) => name.replaceAll(path.sep, '/'))
      .filter((name) => /\.psm?1$/.test(name))
  } catch {
    return []
  }
}

t.test('a bundle holds the scripts of the checkout', async (t) => {
  const names = readdirSync(bundle).filter((name) => name.endsWith('.ps1'))
  t.strictSame(
    names,
    readdirSync(templates).filter((name) => name.endsWith('.ps1')),
  )
  for (const name of names) {
    t.equal(read(bundle, name, 'entry').text, read(templates, name, 'entry').text, name)
  }
  const parts = scripts.filter(({ role }) => role === 'part')
  t.ok(parts.length > 50, 'the module has its parts')
  const lost = parts.filter(({ text }) => !moduleText.includes(text))
  t.strictSame(lost, [], 'and all of them are in it')
})

/** Names of the parameters of a script. */
function parametersOf({ text }: Script): readonly string[] {
  const [, block = ''] = /^param\(\n([^]*?)^\)$/m.exec(text) ?? []
  return [...block.matchAll(/^ {4}\$(\w+)(?: = .*)?,?$/gm)].map(([, name = '']) => name)
}

t.test('a single file takes what the scripts in it take', async (t) => {
  const single = scripts.filter(({ name }) => name === 'single-file.ps1').flatMap(parametersOf)
  const called = scripts.filter(
    ({ name }) => templateNames.has(name) && name !== 'Invoke-WinNode.ps1',
  )
  const wanted = called.flatMap(parametersOf)
  t.ok(wanted.includes('TokenFile'))
  t.strictSame(
    [...new Set(wanted)].filter((name) => !single.includes(name)),
    ['Path'],
  )
})

/** Rows that a script breaks, each with its lines. */
function broken(script: Script, rows: readonly StyleRow[] = styleRows): readonly string[] {
  return rows
    .filter(({ roles }) => roles?.includes(script.role) ?? true)
    .map(({ id, why, find }) => ({ id, why, lines: find(script) }))
    .filter(({ lines }) => lines.length > 0)
    .map(({ id, why, lines }) => `${script.name}:${lines.join(',')}: ${id}: ${why}`)
}

t.test('style, from the text alone', async (t) => {
  t.strictSame(
    scripts.flatMap((script) => broken(script)),
    [],
  )
  const ids = styleRows.map(({ id }) => id)
  t.strictSame(ids, [...new Set(ids)], 'every row has its own id')
  for (const row of styleRows) {
    const bad = readScript('bad', row.roles?.[0] ?? 'part', row.bad)
    t.not(broken(bad, [row]).length, 0, `${row.id} can fail`)
  }
})

t.test('every kind has its functions', async (t) => {
  const table = moduleText.matchAll(/^\$script:StepKind\['(\w+)'\] = @\{([^}]*)\}/gm)
  const entries = [...table].map(([, kind = '', fields = '']) => ({ kind, fields }))
  t.strictSame(entries.map(({ kind }) => kind).sort(), Object.keys(standIns).sort(), 'steps')
  const functions = new Map(
    readScript('', 'module', moduleText).functions.map(({ name, text }) => [name, text]),
  )
  // The router of Remote Access needs Windows features that only this profile has.
  const routed = JSON.parse(
    readFileSync(path.join(root, 'test/golden/ws2022-calico-bgp/bundle/node.json'), 'utf8'),
  ) as NodeDocument
  const steps = [
    ...(['kubeadm', 'kubelet'] as const).flatMap((way) => everyKind(undefined, way).steps),
    ...routed.steps,
  ]
  const wanted = entries.flatMap(({ kind, fields }) => {
    const field = (name: string): string | undefined =>
      new RegExp(`\\b${name} +?= '(\\w+)'`).exec(fields)?.[1]
    const noun = field('Noun') ?? ''
    const reset = field('Reset') ?? ''
    const subjects = /\bSubject += (?:@\(([^)]*)\)|('\w+'))/.exec(fields)?.slice(1).join('') ?? ''
    const names = [...subjects.matchAll(/'(\w+)'/g)].map(([, name = '']) => name)
    const step = steps.find((one) => one.kind === kind)
    t.ok(step, `a scenario has a ${kind}`)
    const known = names.length > 0 && names.every((name) => step && name in step)
    t.ok(known, `a ${kind} has the ${names.join(' and ')} that a person knows it by`)
    t.ok(['restore', 'always', 'keep'].includes(reset), `${kind}: Reset knows to ${reset}`)
    const memory = field('Memory') ?? noun
    const restores = field('Reset') === 'keep' ? [] : [`Restore-${memory}`]
    // Some remove what they created, whatever the previous state.
    const remembers = restores.some((name) => functions.get(name)?.includes('$Before'))
    return [`Test-${noun}`, `Set-${noun}`, ...restores, ...(remembers ? [`Backup-${memory}`] : [])]
  })
  const checks = [...moduleText.matchAll(/^\$script:PreflightKind\['(\w+)'\] = '([\w-]+)'/gm)]
  t.strictSame(
    checks.map(([, kind = '']) => kind).sort(),
    Object.keys(preflightKinds).sort(),
    'checks',
  )
  const health = [
    ...moduleText.matchAll(
      /^\$script:HealthKind\['(\w+)'\] = @\{\n +Function = '([\w-]+)'\n +Event += (\d+)\n +Remedy +=/gm,
    ),
  ]
  t.strictSame(
    health.map(([, kind = '']) => kind).sort(),
    Object.keys(healthKinds).sort(),
    'health',
  )
  t.equal(new Set(health.map(([, , , event]) => event)).size, health.length, 'separate events')
  const all = [...wanted, ...[...checks, ...health].map(([, , name = '']) => name)]
  t.strictSame(
    all.filter((name) => !functions.has(name)),
    [],
  )
})

interface Syntax {
  readonly files: readonly {
    readonly name: string
    readonly errors: readonly string[]
    /** What 5.1 does not understand. */
    readonly newer: readonly string[]
    readonly defined: readonly string[]
    readonly called: readonly string[]
    /** .NET calls on paths that were not resolved for .NET. */
    readonly unresolved: readonly string[]
  }[]
  readonly verbs: readonly string[]
}
type SyntaxFile = Syntax['files'][number]

const called = new Set([
  ...Object.values(inBox).flat(),
  ...additions.flatMap(({ commands }) => commands),
  ...programs,
])
/** Kept in the run as .NET knows it: Open-NodeLog resolves it. */
const resolved = '[System.IO.File]::AppendAllText($script:Run.Log, '

/** Packer's scripts call them where its upload has put them. */
const ofTheBundle = /^C:\\win-node\\(?:Install|Test)-WinNode\.ps1$/

interface SyntaxRow {
  readonly id: string
  readonly find: (file: SyntaxFile, defined: ReadonlySet<string>) => readonly string[]
  /** Breaks this row in every PowerShell, or in those that know more than 5.1. */
  readonly bad: readonly string[]
}

const syntaxRows: readonly SyntaxRow[] = [
  { id: 'parses', find: ({ errors }) => errors, bad: ['if ($a) {', 'function { }'] },
  {
    id: 'no-newer-syntax',
    find: ({ newer }) => newer,
    bad: [
      ...['Get-Item a && Get-Item b', '$a ?? 1', '$a ??= 1', '$a ? 1 : 2', '${a}?.Length'],
      ...['${a}?[0]', 'Get-Item a &', '$a = 1uy', '"`e[0m"', '"`u{2026}"'],
      ...['function f { process { } clean { } }', '[array]::Empty[int]()'],
      ...["$a -creplace 'b', { $_.Value }", '$a = 0b101', '[uint] $a', 'param([ushort[]] $A)'],
      "param([ValidateSet('a', ErrorMessage = 'b')] $A)",
    ],
  },
  {
    id: 'calls-what-5.1-has',
    find: (file, defined) =>
      file.called.filter(
        (name) => !defined.has(name) && !called.has(name) && !ofTheBundle.test(name),
      ),
    bad: ['Get-Uptime', 'Test-Json -Json $a', 'Remove-Service -Name x', 'kubectl.exe get nodes'],
  },
  {
    id: 'paths-are-resolved-for-net',
    find: ({ unresolved }) => unresolved.filter((call) => !call.includes(resolved)),
    bad: [
      '[System.IO.File]::ReadAllText($Path)',
      "[IO.Directory]::CreateDirectory('C:\\k')",
      '$a = Resolve-NodePath -LiteralPath b\n[System.IO.File]::Move($a, $c)',
      '$a = "$b.new"\n[System.IO.File]::Open($a)',
      // Of the process, whose folder is not PowerShell's.
      '[System.IO.Directory]::GetCurrentDirectory()',
      '$a = Resolve-NodePath -LiteralPath b\n[System.IO.File]::Move($a)',
    ],
  },
]

for (const edition of editions) {
  t.test(`syntax, as ${edition} reads it`, { skip: missing(edition) }, async (t) => {
    const place = t.testdir({ scripts: {} })
    const write = (name: string, text: string): void => {
      const file = path.join(place, 'scripts', name)
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
    for (const { role, name, text } of scripts) write(`${role}/${name}`, text)
    const bad = syntaxRows.flatMap(({ id, bad: texts }) =>
      texts.map((text, index) => ({ id, text, name: `bad/${id}-${index}.ps1` })),
    )
    for (const { name, text } of bad) write(name, `${text}\n`)

    const reader = path.join(root, 'test/node/Read-Syntax.ps1')
    const syntax: Syntax = JSON.parse(
      runScript(edition, reader, ['-Folder', path.join(place, 'scripts')]),
    )
    const good = syntax.files.filter(({ name }) => !name.startsWith('bad/'))
    t.equal(good.length, scripts.length)
    const defined = new Set(good.flatMap((file) => file.defined))
    for (const { id, find } of syntaxRows) {
      t.strictSame(
        good.flatMap((file) => find(file, defined).map((text) => `${file.name}:${text}`)),
        [],
        id,
      )
    }
    const used = new Set(good.flatMap((file) => file.called))
    t.strictSame(
      [...called].filter((name) => !used.has(name)),
      [],
      'the list has no unused name',
    )
    t.strictSame(
      verbs.filter((verb) => !syntax.verbs.includes(verb)),
      [],
      'verbs are approved',
    )
    for (const { id, name, text } of bad) {
      const file = syntax.files.find((each) => each.name === name)
      // To 5.1, newer syntax is an error.
      const rows = syntaxRows.filter((row) => row.id === id || row.id === 'parses')
      const found = file ? rows.flatMap(({ find }) => find(file, defined)) : []
      t.not(found.length, 0, `${id} can fail: ${text.replace('\n', '; ')}`)
    }
  })
}

/** What a healthy run of the reconcile loop loads. */
const loaded = ['Install-WinNode.ps1', 'Invoke-WinNode.ps1', 'WinNode.Loop.psm1'] as const

t.test('a healthy run loads nothing that PowerShell logs as suspicious', async (t) => {
  const texts = loaded.map((name) => ({ name, text: read(bundle, name, 'module').text }))
  const words = texts.flatMap(({ name, text }) =>
    suspiciousWords
      .filter((word) => text.toLowerCase().includes(word.toLowerCase()))
      .map((word) => `${name}: ${word}`),
  )
  t.strictSame(words, [])
  for (const edition of editions) {
    t.test(`as ${edition} checks it`, { skip: missing(edition) }, async (t) => {
      const ask = (name: string, files: readonly { name: string; text: string }[]): unknown => {
        const place = path.join(folder, name)
        mkdirSync(place, { recursive: true })
        for (const file of files) writeFileSync(path.join(place, file.name), file.text)
        const script = path.join(root, 'test/node/Get-Suspicion.ps1')
        return JSON.parse(runScript(edition, script, ['-Folder', place]))
      }
      t.strictSame(ask('loaded', texts), [])
      const bad = suspiciousWords.map((word, index) => ({
        name: `${index}.ps1`,
        text: `# ${word}\n`,
      }))
      bad.push({ name: 'variable.ps1', text: '$a = [System.IO.File]\n$a::Exists($b)\n' })
      // PowerShell 7 finds words of letters only.
      const found = suspiciousWords.filter((word) => !/\d/.test(word)).length + 1
      t.match(ask('bad', bad), { length: found }, 'can find')
    })
  }
})

interface Analysis {
  /** File of the commands that Windows PowerShell 5.1 has; empty where this installation lacks it. */
  readonly profile: string
  readonly findings: readonly string[]
  /** What it finds in a text that breaks some of its rules. */
  readonly bad: readonly string[]
}
interface Profile {
  readonly Runtime: {
    readonly Modules: Readonly<Record<string, Readonly<Record<string, ProfileModule>>>>
  }
}
type ProfileModule = Readonly<Record<'Cmdlets' | 'Functions', Readonly<Record<string, unknown>>>>

const settings = readFileSync(path.join(root, 'test/node/PSScriptAnalyzerSettings.psd1'), 'utf8')
const analysis = path.join(root, 'test/node/Invoke-Analysis.ps1')

t.test('what the analyzer ignores is what the list adds', async (t) => {
  const ignored = /IgnoreCommands = @\(([^)]*)\)/.exec(settings)?.[1] ?? ''
  const names = [...ignored.matchAll(/'([^']+)'/g)].map(([, name = '']) => name)
  t.strictSame(names.sort(), additions.flatMap(({ commands }) => commands).sort())
})

for (const edition of editions) {
  const versions = missing(edition) ? [] : analyzers(edition)
  const skip = missing(edition) || (versions.length === 0 && `${edition} has no PSScriptAnalyzer`)
  if (skip) t.test(`PSScriptAnalyzer in ${edition}`, { skip }, async () => undefined)
  for (const version of versions)
    t.test(`PSScriptAnalyzer ${version} in ${edition}`, async (t) => {
      const found = analyze(edition, version)
      t.strictSame(found.findings, [], 'finds nothing')
      t.strictSame(
        found.bad,
        [
          ...['PSAvoidUsingInvokeExpression', 'PSAvoidUsingWriteHost', 'PSUseApprovedVerbs'],
          ...(found.profile === '' ? [] : ['PSUseCompatibleCommands']),
          ...['PSUseCompatibleSyntax', 'PSUseConsistentIndentation'],
        ],
        'can find',
      )
      const lacks = found.profile === '' && 'its compatibility profile of 5.1 is not installed'
      t.test('PSUseCompatibleCommands', { skip: lacks }, async (t) => {
        const { Runtime }: Profile = JSON.parse(readFileSync(found.profile, 'utf8'))
        const lost = Object.entries(inBox).flatMap(([module, commands]) => {
          const known = new Set(
            Object.values(Runtime.Modules[module] ?? {}).flatMap(({ Cmdlets, Functions }) =>
              Object.keys({ ...Cmdlets, ...Functions }),
            ),
          )
          return commands.filter((command) => !known.has(command))
        })
        t.strictSame(lost, [], 'its profile has every command of the list')
      })
    })
}

/** Versions that are installed: the newest, or all of them with `--all`. */
function analyzers(edition: (typeof editions)[number]): readonly string[] {
  const versions: readonly string[] = JSON.parse(runScript(edition, analysis, ['-Folder', folder]))
  return everything ? versions : versions.slice(0, 1)
}

/** The scripts of a bundle, and those that go with it. */
function analyze(edition: (typeof editions)[number], version: string): Analysis {
  const all = path.join(folder, 'analyzed')
  for (const { role, name, text } of scripts) {
    if (role === 'part' || name.includes('/bundle/')) continue
    const file = path.join(all, role, path.posix.basename(name))
    mkdirSync(path.dirname(file), { recursive: true })
    // As its parts are: the block around them would have to indent them.
    writeFileSync(file, role === 'module' ? unwrapped(text) : text)
  }
  const args = ['-Folder', all, '-Version', version]
  return JSON.parse(runScript(edition, analysis, args))
}
