// The command line: every trap of the framework that is closed, and what the commands promise.
import childProcess from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import * as Flags from '@oclif/core/flags'
import fc from 'fast-check'
import { t } from 'tap'
import { describeCommands } from '../../build/manifest.mjs'
import { BaseCommand } from '../../src/commands/base.ts'
import type { Cli } from '../../src/commands/config.ts'
import { type Exit, exits } from '../../src/commands/exit.ts'
import { Failure } from '../../src/commands/failure.ts'
import { argument, asOf } from '../../src/commands/flags.ts'
import { commands as ownCommands } from '../../src/commands/index.ts'
import { globalFlags } from '../../src/commands/router.ts'
import { inProcess, program, root, shell, spawned, winnode } from '../tools/run.ts'

const thrown: Readonly<Record<string, () => Error>> = {
  bug: () => new TypeError('x is not a function'),
  disk: () =>
    Object.assign(new Error('ENOSPC: no space left'), { syscall: 'write', code: 'ENOSPC' }),
  prompt: () => Object.assign(new Error('User force closed'), { name: 'ExitPromptError' }),
  conflict: () =>
    new Failure('conflict', 'out/node.json was modified by hand', ['use --force to overwrite it']),
}

class Probe extends BaseCommand {
  static override id = 'probe'
  static override summary = 'Do what the flags say.'
  static override description = 'Only for tests.'
  static override examples = ['<%= config.bin %> probe name --end rejected']
  static override args = { name: argument({ description: 'any word' }) }
  static override flags = {
    'as-of': asOf(),
    end: Flags.string({ summary: 'How to end.', options: Object.keys(exits) }),
    out: Flags.string({ summary: 'Where to write.' }),
    throw: Flags.string({ summary: 'What to throw.' }),
  }

  async run(): Promise<object> {
    const { args, flags } = await this.parse(Probe)
    const error = flags.throw === undefined ? undefined : thrown[flags.throw]
    if (error) throw error()
    const exit = Object.keys(exits).find((each): each is Exit => each === flags.end)
    if (exit) this.setExit(exit)
    this.printStatusLine(this.screen('stderr').paint('red', 'talk'))
    this.print(`data ${this.screen('stdout').paint('green', args.name ?? 'none')}\n`)
    return { name: args.name ?? null, today: this.today(flags['as-of']) }
  }
}

class Nested extends BaseCommand {
  static override id = 'things:list'
  static override summary = 'List things.'

  async run(): Promise<object> {
    await this.parse(Nested)
    return {}
  }
}

const commands: Cli['commands'] = {
  probe: () => Promise.resolve({ default: Probe }),
  'things:list': () => Promise.resolve({ default: Nested }),
}

const probes = async (): Promise<Cli> => ({
  ...winnode,
  commands,
  manifest: await describeCommands(root, commands),
})

t.test('exit codes, streams and messages', async (t) => {
  const cli = await probes()
  const rows: readonly [
    name: string,
    argv: readonly string[],
    code: number,
    stdout: RegExp,
    stderr: RegExp,
  ][] = [
    ['data goes to stdout and talk to stderr', ['probe', 'x'], 0, /^data x\n$/, /^talk\n$/],
    ['--quiet keeps the data', ['probe', 'x', '--quiet'], 0, /^data x\n$/, /^$/],
    ['-q is --quiet', ['probe', 'x', '-q'], 0, /^data x\n$/, /^$/],
    ['an ending is no failure', ['probe', '--end', 'rejected'], 3, /^data none\n$/, /^talk\n$/],
    [
      'a failure has a remedy',
      ['probe', '--throw', 'conflict'],
      5,
      /^$/,
      /^error: out\/node.json was modified by hand\n {2}use --force to overwrite it\n$/,
    ],
    [
      'a full disk is not a bug',
      ['probe', '--throw', 'disk'],
      1,
      /^$/,
      /^error: ENOSPC: no space left\n$/,
    ],
    [
      'Ctrl-C in a prompt',
      ['probe', '--throw', 'prompt'],
      130,
      /^$/,
      /^error: interrupted: nothing was changed\n$/,
    ],
    [
      'a bug says so, without a stack',
      ['probe', '--throw', 'bug'],
      1,
      /^$/,
      /^error: TypeError: x is not a function\n {2}this is a bug in winnode \d.*\n {2}WINNODE_DEBUG=1 .*\n$/,
    ],
    [
      'a mistyped flag',
      ['probe', '--uot', 'x'],
      2,
      /^$/,
      /^error: unknown flag: --uot\n {2}did you mean --out\?\n {2}see: winnode probe --help\n$/,
    ],
    [
      'a mistyped flag with its value',
      ['probe', '--asof=2026-01-01'],
      2,
      /^$/,
      /unknown flag: --asof=2026-01-01\n {2}did you mean --as-of\?/,
    ],
    ['a mistyped flag of every command', ['probe', '--qiuet'], 2, /^$/, /did you mean --quiet\?/],
    [
      'a flag like nothing',
      ['probe', '--zzzzzz'],
      2,
      /^$/,
      /^error: unknown flag: --zzzzzz\n {2}see: /,
    ],
    [
      'two mistyped flags',
      ['probe', '--uot', '--jsn'],
      2,
      /^$/,
      /mean --out\?\n {2}did you mean --json\?/,
    ],
    [
      'a choice outside its list',
      ['probe', '--end', 'rejectd'],
      2,
      /^$/,
      /^error: expected --end=rejectd to be one of: .*\n {2}did you mean rejected\?/,
    ],
    [
      'a flag without its value',
      ['probe', '--out'],
      2,
      /^$/,
      /^error: flag --out expects a value\n/,
    ],
    ['a flag twice', ['probe', '--out', 'a', '--out', 'b'], 2, /^$/, /can only be specified once/],
    ['a word too many', ['probe', 'a', 'b'], 2, /^$/, /^error: unexpected argument: b\n/],
    [
      'a value for a flag that takes none',
      ['probe', 'a', '--json=1'],
      2,
      /^$/,
      /^error: --json takes no value\n {2}see: winnode probe --help\n/,
    ],
    [
      'flags that exclude each other',
      ['probe', '--verbose', '-q'],
      2,
      /^$/,
      /^error: --(quiet and --verbose|verbose and --quiet) do not go together\n/,
    ],
    [
      'a day that is none',
      ['probe', '--as-of', '2026-02-30'],
      2,
      /^$/,
      /^error: --as-of: "2026-02-30" is not a day written as YYYY-MM-DD\n/,
    ],
    ['a day in words', ['probe', '--as-of', 'yesterday'], 2, /^$/, /"yesterday" is not a day/],
    ['a day that is a year', ['probe', '--as-of', '2026'], 2, /^$/, /"2026" is not a day/],
    [
      'an unknown command',
      ['prob', 'x'],
      2,
      /^$/,
      /^error: unknown command: prob\n {2}did you mean: winnode probe\n {2}see: winnode --help\n$/,
    ],
    [
      'an unknown command of a topic',
      ['things', 'lst'],
      2,
      /^$/,
      /unknown command: things lst\n {2}did you mean: winnode things list\n/,
    ],
    [
      'an unknown command like nothing',
      ['zzzzzz'],
      2,
      /^$/,
      /^error: unknown command: zzzzzz\n {2}see: winnode --help\n$/,
    ],
    ['a global flag before the command', ['--quiet', 'probe', 'x'], 0, /^data x\n$/, /^$/],
    ['between its words', ['things', '--json', 'list'], 0, /"ok": true/, /^$/],
    ['some before, some behind', ['-q', 'probe', '--no-color', 'x'], 0, /^data x\n$/, /^$/],
    ['not behind --', ['probe', '--', '--quiet'], 0, /^data --quiet\n$/, /^talk\n$/],
    ['as the value of a flag', ['probe', '--out', '--quiet'], 2, /^$/, /--out expects a value/],
    [
      'a flag of a command before it',
      ['--out', 'x', 'probe'],
      2,
      /^$/,
      /^error: the command comes first, before --out\n/,
    ],
    [
      'a mistyped flag before it',
      ['--no-colour', 'probe'],
      2,
      /^$/,
      /^error: the command comes first, before --no-colour\n {2}did you mean --no-color\?\n/,
    ],
    [
      'escapes in an argument stay off the terminal',
      ['probe', 'a', '\u001b[31m\u009b\u202e'],
      2,
      /^$/,
      /^error: unexpected argument: \\u009b\\u202e\n/,
    ],
  ]
  for (const [name, argv, code, stdout, stderr] of rows) {
    await t.test(name, async (t) => {
      const outcome = await inProcess(argv, cli)
      t.equal(outcome.code, code)
      t.match(outcome.stdout, stdout)
      t.match(outcome.stderr, stderr)
    })
  }
})

t.test('a long argument is shortened', async (t) => {
  const long = 'x'.repeat(100_000)
  const rows: readonly (readonly string[])[] = [
    [long],
    ['help', long],
    ['validate', long],
    ['validate', `${long}.yaml`],
    ['validate', 'base', `--${long}`],
    ['validate', 'base', '--set', long],
    ['validate', 'base', '--set', `${long}=1`],
    ['validate', 'base', '--set', `name=${long}`],
    ['validate', 'base', '--layer', long],
    ['validate', 'base', '--as-of', long],
    ['profiles', 'show', long],
    ['render', 'base', '--out', long],
    ['render', 'base', '--out', '-', '--only', long],
    ['drift', 'ws2022-flannel-overlay', long],
    ['drift', 'ws2022-flannel-overlay', '.', '--baseline', long],
    ['doctor', long],
    ['doctor', '--first-run', long],
    ['sizing', '--cpu', long],
    ['explain', long],
    ['matrix', '--cni', long],
    ['init', '--yes', '--out', '-', '--windows', long],
    ['completion', long],
  ]
  for (const argv of rows)
    for (const json of [[], ['--json']]) {
      const { stdout, stderr, code } = await inProcess([...argv, ...json])
      const what = argv.map((word) => word.slice(0, 20)).join(' ')
      t.not(code, 0, what)
      const size = Math.max(stdout.length, stderr.length)
      t.ok(size < 10_000, `${what}: ${size} characters`)
    }
})

t.test('a line break in an argument begins no line of a log', async (t) => {
  const folder = t.testdir()
  const rude = 'a\n::error::b'
  const rows: readonly (readonly string[])[] = [
    [rude],
    ['validate', rude],
    ['validate', `${rude}.yaml`],
    ['validate', 'base', `--${rude}`],
    ['validate', 'base', '--set', rude],
    ['validate', 'base', '--set', `${rude}=1`],
    ['validate', 'base', '--layer', rude],
    ['validate', 'base', '--as-of', rude],
    ['profiles', 'show', rude],
    ['render', 'ws2022-flannel-overlay', '--out', path.join(folder, rude)],
    ['render', 'ws2022-flannel-overlay', '--out', path.join(folder, rude), '--dry-run'],
    ['render', 'base', '--out', '-', '--only', rude],
    ['drift', 'ws2022-flannel-overlay', rude],
    ['drift', 'ws2022-flannel-overlay', '.', '--baseline', rude],
    ['doctor', rude],
    ['doctor', '--first-run', rude],
    ['sizing', '--cpu', rude],
    ['explain', rude],
    ['matrix', '--cni', rude],
    ['init', '--yes', '--out', path.join(folder, rude)],
    ['completion', rude],
  ]
  for (const argv of rows) {
    const { stdout, stderr } = await inProcess(argv)
    t.notMatch(stdout + stderr, /^\s*::/m, argv.join(' '))
  }
})

t.test('a flag that needs another one', async (t) => {
  const { stderr, code } = await inProcess(['init', '--unset', 'vni', '--yes', '--out', '-'])
  t.equal(code, 2)
  t.match(stderr, /^error: --unset goes with --from\n/)
})

t.test('an edit by flags names the values that it changes', async (t) => {
  const text = `apiVersion: winnode/v1
kind: NodeProfile
extends: ws2022-flannel-overlay
kubernetes:
  version: 1.34.2
kubelet:
  maxPods: 40
`
  const file = path.join(t.testdir({ 'node.yaml': text }), 'node.yaml')
  const edit = ['init', '--from', file, '--yes', '--api-server', '1.33', '--unset', 'max-pods']
  const lines =
    /^kubernetes\.version: was "1\.34\.2", now "1\.33"\nkubelet\.maxPods: was 40, removed\n/m
  for (const more of [['--out', '-'], []])
    t.match(await inProcess([...edit, ...more]), { code: 0, stderr: lines })
  t.notMatch((await inProcess(['init', '--from', file, '--yes'])).stderr, / was /)
})

t.test('--json prints one object and keeps the exit code', async (t) => {
  const cli = await probes()
  const rows: readonly [name: string, argv: readonly string[], object: object][] = [
    [
      'a result',
      ['probe', 'x', '--as-of', '2026-01-02'],
      { ok: true, exit: 0, name: 'x', today: '2026-01-02' },
    ],
    ['an ending', ['probe', '--end', 'rejected'], { ok: false, exit: 3, name: null }],
    [
      'a failure',
      ['probe', '--throw', 'conflict'],
      {
        ok: false,
        exit: 5,
        error: {
          kind: 'conflict',
          message: 'out/node.json was modified by hand',
          hints: ['use --force to overwrite it'],
        },
      },
    ],
    ['a bug', ['probe', '--throw', 'bug'], { ok: false, exit: 1, error: { kind: 'failure' } }],
    [
      'a usage error',
      ['probe', '--uot', 'x'],
      { ok: false, exit: 2, error: { kind: 'usage', message: 'unknown flag: --uot' } },
    ],
    ['an unknown command', ['prob'], { ok: false, exit: 2, error: { kind: 'usage' } }],
    [
      'a result with escapes in it',
      ['probe', '\u001b\u009b\u202e\u{e0001}'],
      { ok: true, name: '\u001b\u009b\u202e\u{e0001}' },
    ],
  ]
  for (const [name, argv, object] of rows) {
    await t.test(name, async (t) => {
      const outcome = await inProcess([...argv, '--json'], cli)
      const parsed: unknown = JSON.parse(outcome.stdout)
      t.match(parsed, object)
      t.equal(outcome.code, parsed instanceof Object && 'exit' in parsed ? parsed.exit : undefined)
      t.equal(outcome.stderr, '')
      t.notMatch(outcome.stdout, /[^\n\x20-\x7e]/, 'no control character is printed')
      t.ok(outcome.stdout.split('\n').length < 20, 'nothing of the framework is printed')
    })
  }
})

t.test('init takes the word of a field as a flag, too', async (t) => {
  const words = {
    'windows-release': ['windows', 'ws2022'],
    'kubernetes-version': ['kubernetes', '1.36'],
    'base-urls': ['downloads', 'kubernetes=https://m.io,github=https://m.io,nssm=https://m.io'],
    'reserve-model': ['sizing', 'eks'],
    'pod-cidrs': ['pod-network', '10.9.0.0/16'],
    'serving-certificate-approver': ['approver', 'custom'],
  }
  for (const [word, [flag = '', value = '']] of Object.entries(words)) {
    const profileBy = async (name: string) =>
      (await inProcess(['init', `--${name}`, value, '--yes', '--out', '-'])).stdout
    t.equal(await profileBy(word), await profileBy(flag), `--${word} is --${flag}`)
    t.match(await profileBy(word), 'kind: NodeProfile')
  }
})

t.test('without --as-of, today is today', async (t) => {
  const before = new Date().toISOString().slice(0, 10)
  const { stdout } = await inProcess(['probe', '--json'], await probes())
  const after = new Date().toISOString().slice(0, 10)
  t.ok([before, after].some((day) => stdout.includes(`"today": "${day}"`)))
})

/** A snapshot in which nothing differs and a health check fails, with the profile of the node. */
function deadNode(folder: string): readonly string[] {
  const golden = path.join(root, 'test/golden/ws2022-flannel-overlay-newest')
  const text = readFileSync(path.join(golden, 'bundle/node.json'), 'utf8')
  const { steps } = JSON.parse(text) as {
    readonly steps: readonly { readonly id: string; readonly phase: string }[]
  }
  const tested = steps.filter(({ phase }) => phase === 'image')
  const snapshot = {
    apiVersion: 'winnode/v1',
    kind: 'NodeSnapshot',
    steps: tested.map(({ id }) => ({ id, state: 'Unchanged' })),
    health: [{ id: 'kubelet', verdict: 'fail', evidence: 'it is stopped' }],
    exitCode: 7,
  }
  const file = path.join(folder, 'dead.json')
  writeFileSync(file, JSON.stringify(snapshot))
  return [path.join(golden, 'profile.yaml'), file]
}

/** How a person meets each code; a new one does not compile without its row. */
const met: Readonly<Record<Exit, (folder: string) => readonly string[] | 'a signal'>> = {
  done: () => ['profiles'],
  // A name that no disk takes.
  failure: (folder) => ['render', 'base', '--out', path.join(folder, 'x'.repeat(300))],
  usage: () => ['rendr'],
  rejected: () => ['validate', 'ws2022-antrea'],
  drift: (folder) => ['drift', 'base', path.join(folder, 'edited')],
  conflict: (folder) => ['render', 'base', '--out', path.join(folder, 'edited')],
  incomplete: (folder) => ['drift', 'base', path.join(folder, 'unreadable/snapshot.json')],
  'not-working': (folder) => ['drift', ...deadNode(folder)],
  interrupted: () => 'a signal',
  terminated: () => 'a signal',
  'hung-up': () => 'a signal',
}

t.test('each exit code is one that a person can meet', async (t) => {
  const edited = { edited: { 'node.json': 'mine' }, unreadable: { 'snapshot.json': 'mine' } }
  const processes = readFileSync(path.join(root, 'test/commands/processes.test.ts'), 'utf8')
  for (const [name, { code }] of Object.entries(exits)) {
    const argv = met[name as Exit](t.testdir(edited))
    if (argv === 'a signal')
      t.match(processes, new RegExp(`: exits\\W+${name}\\W+code`), `${name} is tried there`)
    else t.equal((await inProcess(argv)).code, code, `${name}: winnode ${argv.join(' ')}`)
  }
  const { stdout } = await inProcess(['--help'])
  for (const { code, means } of Object.values(exits))
    t.match(stdout, `${String(code).padStart(3)}  ${means}\n`)
})

t.test('help', async (t) => {
  const cli = await probes()
  const rows: readonly [name: string, argv: readonly string[], parts: readonly RegExp[]][] = [
    [
      'of the program',
      ['--help'],
      [
        /^EXAMPLES\n/m,
        /^USAGE\n/m,
        /^OTHER COMMANDS\n {2}probe +Do what/m,
        /^ {2}things list +List/m,
        /^EXIT CODES\n {4}0 {2}done/m,
      ],
    ],
    ['without a word', [], [/^EXAMPLES\n/m, /^OTHER COMMANDS\n/m]],
    ['by -h', ['-h'], [/^OTHER COMMANDS\n/m]],
    ['with a global flag alone', ['--no-color'], [/^OTHER COMMANDS\n/m]],
    ['by a global flag and -h', ['--quiet', '-h'], [/^OTHER COMMANDS\n/m]],
    ['by the word help', ['help'], [/^OTHER COMMANDS\n/m]],
    ['of help', ['help', 'help'], [/^OTHER COMMANDS\n/m]],
    ['of the program, with any other argument', ['--help', '--json'], [/^OTHER COMMANDS\n/m]],
    [
      'of a command',
      ['probe', '--help'],
      [
        /^Do what the flags say/,
        /^EXAMPLES\n {2}\$ winnode probe name/m,
        /^USAGE\n {2}\$ winnode probe/m,
        // A line may break between two of them.
        /<options: done, \w+, /,
        /^GLOBAL FLAGS\n/m,
      ],
    ],
    [
      'of a command, after its words',
      ['probe', 'x', '--out', 'y', '-h'],
      [/^USAGE\n {2}\$ winnode probe/m],
    ],
    ['of a command by the word help', ['help', 'probe'], [/^USAGE\n {2}\$ winnode probe/m]],
    [
      'of a command of a topic',
      ['things', 'list', '--help'],
      [/^USAGE\n {2}\$ winnode things list/m],
    ],
    ['of a topic', ['things'], [/winnode things COMMAND/, /^COMMANDS\n {2}things list/m]],
  ]
  for (const [name, argv, parts] of rows) {
    await t.test(name, async (t) => {
      const { code, stdout, stderr } = await inProcess(argv, cli)
      t.strictSame({ code, stderr }, { code: 0, stderr: '' })
      const places = parts.map((part) => stdout.search(part))
      t.notOk(places.includes(-1), 'every part is present')
      t.strictSame(
        places,
        [...places].sort((a, b) => a - b),
        'in this order',
      )
    })
  }
  t.equal((await inProcess(['help', 'nothing'], cli)).code, 2, 'not of what is unknown')
})

t.test('the usage of a command is one line', async (t) => {
  const rows: readonly [command: string, usage: string][] = [
    ['init', '[flags]'],
    ['render', '[PROFILE...] --out DIR [flags]'],
    ['validate', '[PROFILE...] [flags]'],
    ['drift', '[PROFILE] [EVIDENCE...] [flags]'],
    ['doctor', '[REPORT...] [flags]'],
    ['profiles show', 'PROFILE [flags]'],
  ]
  for (const [command, usage] of rows) {
    const { stdout } = await inProcess([...command.split(' '), '--help'])
    t.match(stdout, `\nUSAGE\n  $ winnode ${command} ${usage}\n\n`)
  }
})

t.test('help groups the commands, and names each once', async (t) => {
  const { stdout } = await inProcess(['--help'])
  const titles = [...stdout.matchAll(/^[A-Z][A-Z ]+$/gm)].map(([title]) => title)
  t.strictSame(titles, [
    ...['EXAMPLES', 'USAGE', 'START', 'CHECK', 'INSPECT', 'SUPPLY', 'OTHER COMMANDS'],
    ...['EXIT CODES', 'LEARN MORE'],
  ])
  t.match(stdout, /LEARN MORE\n[^]*explain NAME\n {2}docs\/README\.md of the repository/)
  for (const id of Object.keys(ownCommands)) {
    const line = new RegExp(`^  ${id.replace(':', ' ')}  +\\S`, 'gm')
    t.equal([...stdout.matchAll(line)].length, 1, id)
  }
})

t.test('help in a pipe is not wrapped', async (t) => {
  const out =
    '  -o, --out=DIR +\\(required\\) Write to this folder, of several profiles to DIR/NAME; - prints one file\\.\\n'
  t.match((await inProcess(['render', '--help'])).stdout, new RegExp(out))
  const { stdout } = await inProcess(['--help'])
  t.match(
    stdout,
    / {2}explain +Explain a finding, field, feature gate, flag, step, check, exit code or line of a log\.\n/,
  )
})

t.test('flags show what they take', async (t) => {
  const { stdout } = await inProcess(['init', '--help'])
  t.match(stdout, /--routes=fabric\|cloud /)
  t.match(
    stdout,
    /--cni=NAME +Network plugin of the cluster; [^.]*\. One of:\s+flannel, calico, antrea, win-bridge, eks, none\./,
  )
  t.match(stdout, /--windows=NAME [^-]* One of:\s+ws2019, ws2022, ws2025\./)
  t.notMatch(stdout, /<value>/)
})

t.test('colour', async (t) => {
  const { FORCE_COLOR } = process.env
  t.teardown(() => Object.assign(process.env, { FORCE_COLOR }))
  const cli = await probes()
  process.env['FORCE_COLOR'] = '1'
  t.match(await inProcess(['probe', 'x'], cli), {
    stdout: 'data \u001b[32mx\u001b[39m\n',
    stderr: '\u001b[31m\u001b[1mtalk\u001b[22m\u001b[39m\n',
  })
  t.match(await inProcess(['probe', 'x', '--no-color'], cli), {
    stdout: 'data x\n',
    stderr: 'talk\n',
  })
  t.match(await inProcess(['prob'], cli), { stderr: /^\u001b\[31m/ })
  t.match(await inProcess(['prob', '--no-color'], cli), { stderr: /^error/ })
})

t.test('no program is started on Windows to find the name of the shell', async (t) => {
  const { SHELL } = process.env
  t.teardown(() => Object.assign(process.env, { SHELL }))
  Reflect.deleteProperty(process.env, 'SHELL')
  t.intercept(process, 'platform', { value: 'win32' })
  t.capture(os, 'userInfo', () => ({ shell: null }))
  const started = t.capture(childProcess, 'execSync', () => 'cmd.exe')
  t.equal((await inProcess(['probe', 'x'], await probes())).code, 0)
  t.strictSame(started(), [])
})

t.test('every global flag may stand before a command', async (t) => {
  const { flags = {} } = (await probes()).manifest.commands['probe'] ?? {}
  const { flags: own } = Probe
  const names = Object.values(flags).flatMap(({ name, char }) =>
    Object.hasOwn(own, name) ? [] : [`--${name}`, ...(char ? [`-${char}`] : [])],
  )
  t.strictSame(names.sort(), [...globalFlags].sort())
})

t.test('what every command keeps', async (t) => {
  t.strictSame(
    Object.keys(winnode.manifest.commands).sort(),
    Object.keys(winnode.commands).sort(),
    'the build is of these sources',
  )
  for (const [id, load] of Object.entries(winnode.commands)) {
    const { default: Loaded } = await load()
    t.ok(Object.prototype.isPrototypeOf.call(BaseCommand, Loaded), `${id} is a BaseCommand`)
    const { summary, examples, flags = {} } = winnode.manifest.commands[id] ?? {}
    t.match(summary, /^[A-Z].*\.$/, `${id} has a summary that is a sentence`)
    t.ok(examples?.length, `${id} has examples`)
    // oclif itself describes --json.
    for (const flag of Object.values(flags).filter(({ name }) => name !== 'json')) {
      t.match(flag.name, /^[a-z]+(-[a-z]+)*$/, `--${flag.name} of ${id} is in lower case`)
      t.match(flag.summary, /^[A-Z].*\.$/, `--${flag.name} of ${id} has a sentence`)
    }
    const own = Object.keys((Loaded as { flags?: object }).flags ?? {})
    const taken = own.filter((name) => globalFlags.has(`--${name}`))
    t.strictSame(taken, [], `${id} takes no flag that all have`)
    const shown = (examples ?? []).map((one) => (typeof one === 'string' ? one : one.command))
    const known = new Set([...globalFlags, ...Object.keys(flags).map((name) => `--${name}`)])
    const unknown = shown
      .flatMap((line) => line.split('|').filter((part) => part.includes(id.replace(':', ' '))))
      .flatMap((part) => part.match(/(?<= )--[a-z-]+/g) ?? [])
      .filter((flag) => !known.has(flag))
    t.strictSame(unknown, [], `the examples of ${id} are of it`)
  }
})

const node = 'ws2022-flannel-overlay'

t.test('mistyped names of commands and profiles', async (t) => {
  const rows: readonly [argv: readonly string[], stderr: RegExp][] = [
    [
      ['profiles', 'shw', 'base'],
      /command: profiles shw\n {2}did you mean: winnode profiles show\n/,
    ],
    [['profiles', 'xyz'], /^error: unexpected argument: xyz\n/],
    [['validate', 'ws2022-flannel-overly'], /did you mean ws2022-flannel-overlay\?/],
    [['validate', 'ws2025'], /did you mean ws2025-flannel-overlay\?/],
    [['validate', 'ws2022'], /did you mean ws2022-antrea or ws2022-calico or /],
    [
      ['validate', 'zzz'],
      /^error: zzz: no such file or built-in profile\n {2}see: winnode profiles\n$/,
    ],
    [['solve', 'docs'], /^error: docs is a folder, not a profile\n/],
    [['validate', 'zzz.json'], /^error: zzz\.json: no such file\n$/],
    [['validate', './zzz.yaml'], /^error: \.\/zzz\.yaml: no such file\n$/],
    [['validate', `./${node}.yml`], new RegExp(`mean ${node}\\?`)],
    [['validate', './profiles/bse.yaml'], /mean \.\/profiles\/base\.yaml\?/],
    [['validate', './profils/base.yaml'], /mean \.\/profiles\/base\.yaml\?/],
    [['validate', node, '--layer', 'bas'], /^error: bas: no such file\n$/],
    [
      ['render', node, '--out', '-', '--only', 'config.tml'],
      /no file config\.tml\n {2}did you mean files\/containerd\/config\.toml\?\n$/,
    ],
    [['render', node, '--out', ''], /^error: --out is empty\n {2}see: winnode render --help\n$/],
    [['render', node, '-o', ''], /^error: --out is empty\n/],
    [['render', node], /^error: missing --out\n {2}see: winnode render --help\n$/],
    [['validate', ''], /^error: profile is empty\n/],
    [['validate', '--root', '', node], /^error: --root is empty\n/],
    [['validate', node, '--set='], /^error: --set is empty\n/],
    [['validate', node, '--layer', ' '], /^error: --layer is empty\n/],
    [['validate', '\t'], /^error: profile is empty\n/],
    [['validate', node, '--json=true'], /^error: --json takes no value\n/],
    [
      ['validate', node, '--root', 'package.json'],
      /^error: --root: package\.json is not a folder\n/,
    ],
    [['validate', '-', '--layer', '-'], /^error: standard input is named twice\n/],
    [['drift', '-', '-'], /^error: standard input is named twice\n/],
    [['solve', '-', '--facts=-'], /^error: standard input is named twice\n/],
    [['drift', node, '', ''], /^error: evidence is empty\n/],
    [['facts', ''], /^error: an argument is empty\n/],
    [[''], /^error: the command is empty\n {2}see: winnode --help\n/],
    [['lock', '-'], /^error: standard input has no folder for winnode\.lock\n {2}name a file\n/],
    [
      ['init', '--yes', '--base', `${node}s`],
      new RegExp(`^error: .*\\n {2}did you mean ${node}\\?\\n`),
    ],
    [
      ['init', '--yes', '--base', 'zzz'],
      /^error: zzz: no such built-in profile\n {2}see: winnode profiles\n$/,
    ],
    [['init', '--from', '-'], /^error: --from edits a file, not standard input\n/],
    [['init', '--from', ''], /^error: --from is empty\n/],
    [['init', '--from', 'x', '--unset', ''], /^error: --unset is empty\n/],
    [['init', '--yes', '--windows', ''], /^error: --windows: "" is not supported; use one of /],
    [['validate', node, '--format', ''], /^error: expected --format= to be one of: pretty, /],
  ]
  for (const [argv, stderr] of rows) {
    const outcome = await inProcess(argv)
    t.match(
      { ...outcome, stderr: outcome.stderr.replace(/^(?:note|warning)[^]*\n(?=error: )/, '') },
      { code: 2, stdout: '', stderr },
      argv.join(' '),
    )
  }
})

t.test('every flag with a free value refuses an empty one', async (t) => {
  for (const [id, { flags = {} }] of Object.entries(winnode.manifest.commands))
    for (const { name, type, ...flag } of Object.values(flags)) {
      if (type !== 'option' || (flag as { options?: object }).options) continue
      if (id === 'init' && flag.helpGroup === 'ANSWER') continue
      const { code, stdout, stderr } = await inProcess([...id.split(':'), `--${name}`, ''])
      const said = `error: --${name} is empty\n  see: winnode ${id.replaceAll(':', ' ')} --help\n`
      t.strictSame({ code, stdout, stderr }, { code: 2, stdout: '', stderr: said }, `${id} ${name}`)
    }
})

t.test('--json and --format contradict each other, unless both have an effect', async (t) => {
  for (const [id, { flags = {} }] of Object.entries(winnode.manifest.commands)) {
    if (!flags['format'] || id === 'bom') continue
    const { code, stdout } = await inProcess([id, 'x', '--json', '--format', 'pretty'])
    const message = /^--json and --format do not go together(?:; missing --out)?$/
    t.match(JSON.parse(stdout), { exit: 2, error: { message } }, id)
    t.equal(code, 2)
  }
})

t.test('other programs’ settings of the environment change nothing', (t) => {
  const env = { CONTENT_TYPE: 'json', DEBUG_COLORS: 'yes', NODE_ENV: 'production' }
  t.match(spawned(['profiles'], { env }), { code: 0, stdout: /^PROFILE +EXTENDS/, stderr: '' })
  t.end()
})

t.test('standard input has one name, whatever reads it', (t) => {
  const fault = /(?:^|: )standard input:1:1: /m
  for (const argv of [['-'], [node, '--layer', '-'], [node, '--facts', '-']]) {
    const { stdout, stderr } = spawned(['validate', ...argv, '--format', 'lines'])
    t.match(stdout + stderr, fault, argv.join(' '))
  }
  t.end()
})

t.test('standard input belongs to no argument', (t) => {
  const outcome = spawned(['validate'], { input: `${node}\n` })
  t.match(outcome, {
    code: 2,
    stdout: '',
    stderr: /^error: missing profile: built-in profile, .*\n {2}see: winnode \w+ --help\n$/,
  })
  t.end()
})

const posixShell = process.platform !== 'win32'

t.test('standard input that gives no text', { skip: !posixShell && 'its shell' }, (t) => {
  const folder =
    /^error: standard input is a folder, not a profile\n {2}name a file in place of it\n/
  const rows: readonly [argv: readonly string[], from: string, code: number, said: RegExp][] = [
    [['validate', '-'], '< /', 2, folder],
    [['render', '-', '--out', '-', '--only', 'node.json'], '< /', 2, folder],
    [['validate', node, '--layer', '-'], '< /', 2, folder],
    [['validate', '-'], '0> /dev/null', 3, /cannot be read: it is not open for that\n {2}fix: /],
    [['doctor', '-'], '< /', 6, /^standard input could not be read: it is a folder\n/],
    [['drift', node, '-'], '< /', 6, /standard input could not be read: it is a folder\n/],
  ]
  for (const [argv, from, code, said] of rows) {
    const told = shell(`exec "$0" "$@" ${from}`, [...program, ...argv])
    t.equal(told.code, code, `${argv.join(' ')} ${from}`)
    t.match(told.stdout + told.stderr, said)
  }
  t.end()
})

t.test('a name that is too long for a disk', async (t) => {
  const long = 'x'.repeat(300)
  const said = async (...argv: readonly string[]) => {
    const { stdout, stderr } = await inProcess(argv)
    return (stdout + stderr).replaceAll(long, 'LONG')
  }
  for (const file of [`./${long}.yaml`, `./${'x/'.repeat(3000)}x.yaml`])
    t.match(
      await said('validate', file),
      /cannot be read: the name is too long\n {2}fix: Give it a shorter path\.\n/,
    )
  t.match(await said('validate', long), /^error: LONG: no such file or built-in profile\n/)
  t.match(await said('drift', node, `./${long}`), /^error: \.\/LONG: no such file or directory\n/)
  const hint = / {2}name a shorter path\n$/
  t.match(await said('render', node, '--quiet', '--out', `./${long}`), hint)
  for (const file of [`./${long}.yaml`, `./${long}/x.yaml`])
    t.match(await said('init', '--yes', '--base', node, '--out', file), hint)
})

t.test('profiles and schema', async (t) => {
  const list = await inProcess(['profiles'])
  t.match(list, { code: 0, stdout: /^PROFILE +EXTENDS +FOR\nbase +Recommendations/, stderr: '' })
  const named = /^ws\S+/gm
  const needs = [
    [/antrea|calico/, /^needs: join\.endpoint and join\.caCertHashes of /],
    [/eks/, /^needs: network\.eks\.clusterName of /],
  ] as const
  for (const [name] of list.stdout.matchAll(named))
    t.match(await inProcess(['profiles', 'show', name]), {
      code: 0,
      stdout: /^FIELD +VALUE +FROM\n/,
      // What only its reader knows is missing, not wrong.
      stderr: needs.find(([of]) => of.test(name))?.[1] ?? '',
    })
  t.match(list.stdout, /Needs join\.endpoint and\s+join\.caCertHashes of your/)
  const both = ['profiles', 'show', 'ws2022-antrea', '--set', 'host.features=[]']
  t.match(await inProcess([...both, '--set', 'network.flannel.vni=x']), {
    code: 3,
    stderr: /^error\[/m,
  })
  const refused = await inProcess(['profiles', 'show', node, '--set', 'network.flannel.vni=1'])
  t.match(refused, {
    code: 3,
    stdout: /network\.flannel\.vni +1 +--set network\.flannel\.vni:1\n/,
    stderr: /^error\[/m,
  })
  t.match(await inProcess(['profiles', 'show']), { code: 2, stdout: '' })
  const schema = await inProcess(['schema'])
  t.match(JSON.parse(schema.stdout), { $schema: /json-schema/, properties: { kubelet: {} } })
})

t.test('a folder that is gone', { skip: process.platform === 'win32' && 'it stays' }, (t) => {
  const folder = path.join(t.testdir(), 'gone')
  const script = 'mkdir "$0" && cd "$0" && rmdir "$0" && exec "$@" validate ws2022-flannel-overlay'
  t.match(shell(script, [folder, ...program]), {
    code: 1,
    stdout: '',
    // Bun looks for itself, before it runs anything.
    stderr:
      /^error: (the current folder was deleted\n {2}change to|The current working directory was deleted)/,
  })
  t.end()
})

t.test('license', async (t) => {
  const { code, stdout, stderr } = await inProcess(['license'])
  t.match({ code, stderr }, { code: 0, stderr: '' })
  t.match(stdout, /^Apache License\n[^]*^={80}\n\nwinnode contains [^]*^handlebars \d.*\(MIT\)$/m)
  const { licences } = JSON.parse((await inProcess(['licences', '--json'])).stdout)
  t.match(licences, [
    { file: 'LICENSE' },
    { file: 'dist/THIRD-PARTY.txt', text: /^winnode contains/ },
  ])
})

t.test('the built program', (t) => {
  t.match(spawned(['--version']), {
    code: 0,
    stdout: /^winnode\/\d+\.\d+\.\d+ \S+ (node|bun)-v\d.*\n$/,
    stderr: '',
  })
  t.match(spawned(['version']).stdout, /^winnode\//)
  t.match(spawned(['--quiet', '--version']).stdout, /^winnode\//)
  const told = JSON.parse(spawned(['--version', '--json']).stdout)
  t.match(told, { ok: true, version: /^\d/, tables: /^\d{4}-\d\d-\d\d$/ })
  t.match(told.runtime, { name: /^(node|bun)$/, version: /^\d+\.\d+\.\d+/ })
  t.match(String(told.commit), /^([0-9a-f]{40}|null)$/)
  t.match(spawned(['nothing']), {
    code: 2,
    stdout: '',
    stderr: /^error: unknown command: nothing\n/,
  })
  t.match(
    spawned(['nothing'], { env: { WINNODE_DEBUG: '1' } }).stderr,
    /\n +at /,
    'a stack on demand',
  )
  t.match(spawned(['nothing'], { env: { FORCE_COLOR: '1' } }).stderr, /^\u001b\[31m/)
  t.match(spawned(['nothing', '--no-color'], { env: { FORCE_COLOR: '1' } }).stderr, /^error: /)
  t.end()
})

t.test('a word that every object has is no command', async (t) => {
  for (const word of ['valueOf', 'constructor', '__proto__', 'toString'])
    t.match(await inProcess([word]), { code: 2, stderr: /unknown command/ }, word)
})

t.test('whatever a person writes, it is never a bug', async (t) => {
  const folder = t.testdir()
  const wild = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc
      .array(
        fc.constantFrom(
          ...Array.from('.-_:[]\\/"=aA0'),
          ' ',
          '\0',
          '\ud800',
          '..',
          'con',
          'COM1',
          'nul',
        ),
        {
          maxLength: 8,
        },
      )
      .map((parts) => parts.join('')),
  )
  const name = fc.oneof(
    wild,
    fc.constantFrom(
      'con',
      '..',
      'a.',
      'COM1',
      'nul.example.com',
      '_default',
      '[::1]:5000',
      'A',
      'a',
    ),
  )
  const mirrors = fc.uniqueArray(name, { minLength: 1, maxLength: 3 }).map((names) => {
    const entries = names.map((one) => [one, [{ url: 'https://m.example.com' }]])
    return `registry.mirrors=${JSON.stringify(Object.fromEntries(entries))}`
  })
  const key = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => `${parts.join('.')}=1`)
  const quoted = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => {
    return `kubelet.labels.${parts.map((one) => JSON.stringify(one)).join('.')}=x`
  })
  // No argument of a process holds a NUL, or half a character.
  const asArgument = (text: string) => Buffer.from(text.replaceAll('\0', '')).toString()
  const out = wild.map((text) => path.join(folder, 'out', asArgument(text).replaceAll('..', 'up')))
  const render = ['render', 'ws2022-flannel-overlay', '--dry-run', '--quiet']
  const argv = fc.oneof(
    fc.oneof(mirrors, key, quoted).map((set) => [...render, '--out', 'none', '--set', set]),
    out.map((one) => [...render, '--out', one]),
    wild.map((one) => ['validate', `./${asArgument(one)}`]),
    wild.map((one) => ['validate', 'ws2022-flannel-overlay', '--layer', `./${asArgument(one)}`]),
    wild.map((one) => [...render, '--out', '-', '--only', asArgument(one)]),
    fc.array(wild.map(asArgument), { maxLength: 3 }),
  )
  const check = async (words: readonly string[]) => {
    const { code, stdout, stderr } = await inProcess(words)
    const told = code === 0 || stdout.length + stderr.length > 0
    return told && [0, 2, 3, 5].includes(code ?? 1) && !stderr.includes('bug in winnode')
  }
  await fc.assert(fc.asyncProperty(argv, check), { numRuns: 200 })
  t.pass('200 command lines')
})
