// The command line: every trap of the framework that is closed, and what the commands promise.
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as Flags from '@oclif/core/flags'
import fc from 'fast-check'
import { t } from 'tap'
import { describeCommands } from '../build/manifest.mjs'
import { BaseCommand } from '../src/commands/base.ts'
import type { Cli } from '../src/commands/cli.ts'
import { type Exit, exits } from '../src/commands/exit.ts'
import { Failure } from '../src/commands/failure.ts'
import { argument, asOf } from '../src/commands/flags.ts'
import { globalFlags } from '../src/commands/global-flags.ts'
import type { JsonObject } from '../src/model/json.ts'
import { breaches } from './tools/json-schema.ts'
import { inProcess, root, spawned, winnode } from './tools/run.ts'

const thrown: Readonly<Record<string, () => Error>> = {
  bug: () => new TypeError('x is not a function'),
  disk: () =>
    Object.assign(new Error('ENOSPC: no space left'), { syscall: 'write', code: 'ENOSPC' }),
  prompt: () => Object.assign(new Error('User force closed'), { name: 'ExitPromptError' }),
  conflict: () => new Failure('conflict', 'out/node.json was edited', ['--force overwrites it']),
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
    if (exit) this.end(exit)
    this.talk(this.screen('stderr').paint(['red', 'bold'], 'talk'))
    this.data(`data ${this.screen('stdout').paint('green', args.name ?? 'none')}\n`)
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
      'a failure says what to do',
      ['probe', '--throw', 'conflict'],
      5,
      /^$/,
      /^error: out\/node.json was edited\n {2}--force overwrites it\n$/,
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
    ['--verbose and --quiet', ['probe', '--verbose', '-q'], 2, /^$/, /--quiet/],
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
          message: 'out/node.json was edited',
          hints: ['--force overwrites it'],
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

t.test('without --as-of, today is today', async (t) => {
  const before = new Date().toISOString().slice(0, 10)
  const { stdout } = await inProcess(['probe', '--json'], await probes())
  const after = new Date().toISOString().slice(0, 10)
  t.ok([before, after].some((day) => stdout.includes(`"today": "${day}"`)))
})

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
  interrupted: () => 'a signal',
  terminated: () => 'a signal',
  'hung-up': () => 'a signal',
}

t.test('each exit code is one that a person can meet', async (t) => {
  const edited = { edited: { 'node.json': 'mine' }, unreadable: { 'snapshot.json': 'mine' } }
  const processes = readFileSync(path.join(root, 'test/processes.test.ts'), 'utf8')
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
        /^COMMANDS\n {2}probe +Do what/m,
        /^ {2}things list +List/m,
        /^EXIT CODES\n {4}0 {2}done/m,
      ],
    ],
    ['without a word', [], [/^EXAMPLES\n/m, /^COMMANDS\n/m]],
    ['by -h', ['-h'], [/^COMMANDS\n/m]],
    ['with a global flag alone', ['--no-color'], [/^COMMANDS\n/m]],
    ['by a global flag and -h', ['--quiet', '-h'], [/^COMMANDS\n/m]],
    ['by the word help', ['help'], [/^COMMANDS\n/m]],
    ['of the program, whatever else stands there', ['--help', '--json'], [/^COMMANDS\n/m]],
    [
      'of a command',
      ['probe', '--help'],
      [
        /^Do what the flags say/,
        /^EXAMPLES\n {2}\$ winnode probe name/m,
        /^USAGE\n {2}\$ winnode probe/m,
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
      t.same({ code, stderr }, { code: 0, stderr: '' })
      const places = parts.map((part) => stdout.search(part))
      t.notOk(places.includes(-1), 'every part is there')
      t.strictSame(
        places,
        [...places].sort((a, b) => a - b),
        'in this order',
      )
    })
  }
  t.equal((await inProcess(['help', 'nothing'], cli)).code, 2, 'not of what is unknown')
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
    const { summary, examples } = winnode.manifest.commands[id] ?? {}
    t.match(summary, /^[A-Z].*\.$/, `${id} has a summary that is a sentence`)
    t.ok(examples?.length, `${id} has examples`)
  }
})

/** Every file of a folder by its path, as the bytes are. */
function bytesIn(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  const names = files
    .filter((file) => file.isFile())
    .map((file) => path.join(file.parentPath, file.name))
  return Object.fromEntries(
    names
      .sort()
      .map((name) => [path.relative(folder, name), readFileSync(name).toString('latin1')]),
  )
}

const node = 'ws2022-flannel-overlay'
const asOfDay = ['--as-of', '2026-11-20']

t.test('render: the same profile gives the same bytes, wherever and whenever', async (t) => {
  const folder = t.testdir({ here: {}, 'a folder with blanks': {}, there: { deep: {} } })
  const rows: readonly [
    cwd: string,
    env: Readonly<Record<string, string>>,
    more: readonly string[],
  ][] = [
    ['here', { TZ: 'UTC', LC_ALL: 'C' }, asOfDay],
    [
      'a folder with blanks',
      { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR' },
      asOfDay,
    ],
    [
      'there/deep',
      { TZ: 'America/St_Johns', LANG: 'de_DE.UTF-8', HOME: '/nowhere', USER: 'x' },
      asOfDay,
    ],
    ['there', { TZ: 'Asia/Kathmandu', HOSTNAME: 'x' }, ['--as-of', '2031-12-31']],
    ['there', { FORCE_COLOR: '1' }, ['--as-of', '1999-01-01']],
  ]
  const bundles = rows.map(([cwd, env, more]) => {
    const out = `win-node-${more.join('')}`
    const at = path.join(folder, cwd)
    const { code, stdout, stderr } = spawned(['render', node, '--out', out, ...more], {
      cwd: at,
      env,
    })
    t.equal(code, 0, stderr)
    return { bytes: bytesIn(path.join(at, out)), said: stdout + stderr }
  })
  const [first] = bundles
  t.ok(Object.keys(first?.bytes ?? {}).length > 20)
  for (const [at, { bytes }] of bundles.entries()) t.strictSame(bytes, first?.bytes, `row ${at}`)
  t.equal(bundles[1]?.said, first?.said, 'and says the same about it')
  t.equal(bundles[2]?.said, first?.said)
})

t.test('render: what it writes, and what it refuses to write', async (t) => {
  const folder = t.testdir({ file: 'x', 'bad.yaml': 'kind: x\n' })
  const out = path.join(folder, 'out')
  const at = (...names: string[]) => path.join(out, ...names)
  const render = (...argv: readonly string[]) => inProcess(['render', node, ...asOfDay, ...argv])
  const toOut = (...argv: readonly string[]) => render('--out', out, ...argv)

  const dry = await toOut('--dry-run')
  t.match(dry, {
    code: 0,
    stdout: /^DECIDED .*\nkubelet +1\.\d+\.\d+ /,
    stderr: /\nwould write .*out: \d+ new; /,
  })
  t.notOk(existsSync(out), 'a dry run writes nothing')

  const first = await toOut()
  t.match(first, {
    code: 0,
    stdout: /\nnew +node\.json\n/,
    stderr: /\nwrote .*out: \d+ new; .*\n.*README\.md says what to do.*\n$/,
  })
  t.equal(first.stdout, dry.stdout, 'a dry run says what the real one does')
  const written = bytesIn(out)

  t.match(await toOut(), {
    code: 0,
    stdout: /\nsame +node\.json/,
    stderr: /\nwrote .*: \d+ same; /,
  })
  t.strictSame(bytesIn(out), written, 'a second run changes nothing')

  const other = await toOut('--set', 'kubelet.maxPods=60', '--diff')
  t.match(other, {
    code: 0,
    stdout: /^-.*"maxPods": 110,\n\+.*"maxPods": 60,$/m,
    stderr: /would write/,
  })
  t.match(
    other.stdout,
    /^diff --git a\/(\S+) b\/\1\n--- a\/\1\n\+\+\+ b\/\1\n@@ -\d+,\d+ \+\d+,\d+ @@\n/m,
  )
  const elsewhere = path.join(folder, 'elsewhere')
  const fresh = await render('--out', elsewhere, '--diff')
  t.match(fresh, {
    stdout: /^(?: create mode 100644 \S+\n)+$/,
    stderr: /\n--verbose shows what new files hold\n/,
  })
  t.match(await render('--out', elsewhere, '--diff', '--verbose'), {
    stdout:
      /^diff --git a\/(\S+) b\/\1\nnew file mode 100644\n--- \/dev\/null\n\+\+\+ b\/\1\n@@ -0,0 \+1,\d+ @@\n\+/,
  })
  t.strictSame(bytesIn(out), written, 'a diff writes nothing')
  t.match(await toOut('--diff'), { code: 0, stdout: '' }, 'nothing differs')

  appendFileSync(at('README.md'), 'edited\n')
  writeFileSync(at('mine.txt'), 'mine')
  for (const more of [[], ['--dry-run'], ['--quiet']]) {
    const conflict = await toOut('--set', 'kubelet.maxPods=60', ...more)
    t.match(conflict, { code: 5, stderr: /out\/README\.md was edited; --force overwrites it\n/ })
    t.match(readFileSync(at('README.md'), 'utf8'), /edited\n$/, 'an edited file stays')
    t.match(readFileSync(at('node.json'), 'latin1'), written['node.json'], 'and so does all else')
  }
  const document = readFileSync(at('node.json'), 'utf8')
  writeFileSync(at('node.json'), document.replace('C:\\\\var\\\\log', 'C:\\\\Var\\\\log'))
  t.match(await toOut(), { code: 5, stderr: /out\/node\.json was edited; --force overwrites it\n/ })
  writeFileSync(at('node.json'), document)
  t.match(await toOut('--diff'), { code: 5, stdout: /^-edited$/m }, 'the diff shows the edit')
  const json = await toOut('--json')
  t.match(JSON.parse(json.stdout), { ok: false, exit: 5, written: false })
  t.match(await toOut('--force'), { code: 0, stderr: /1 replace|1 edited/ })
  t.strictSame(bytesIn(out), { ...written, 'mine.txt': 'mine' }, 'what is not ours is kept')

  const rows: readonly [name: string, argv: readonly string[], code: number, stderr: RegExp][] = [
    [
      'a file in place of the folder',
      ['--out', path.join(folder, 'file')],
      2,
      /file is not a folder\n/,
    ],
    ['the current folder', ['--out', '.'], 2, /\. is the current folder, or holds it/],
    ['no folder', [], 2, /^error: missing --out\n {2}see: winnode render --help\n$/],
    ['a whole bundle to stdout', ['--out', '-'], 2, /--out - needs --only FILE/],
    [
      'one file to a folder',
      ['--out', out, '--only', 'node.json'],
      2,
      /--only FILE goes with --out -/,
    ],
    [
      'a file that it lacks',
      ['--out', '-', '--only', 'x'],
      2,
      /has no file x\n {2}it has: .*, README\.md, /,
    ],
    [
      'warnings, strictly',
      ['--out', path.join(folder, 'strict'), '--strict'],
      3,
      /nothing written\n$/,
    ],
    [
      'a mistake',
      ['--out', path.join(folder, 'no'), '--set', 'network.flannel.vni=1'],
      3,
      /error\[flannel-vni-out-of-range\] --set network\.flannel\.vni:1:21\n/,
    ],
    [
      'a mistake, quietly',
      ['--out', path.join(folder, 'no'), '--set', 'network.flannel.vni=1', '-q'],
      3,
      /^error\[[^]*\n1 error: flannel-vni-out-of-range\n\S+: nothing written\n$/,
    ],
    [
      'a flag that is none',
      ['--out', out, '--dryrun'],
      2,
      /unknown flag: --dryrun\n {2}did you mean --dry-run\?/,
    ],
  ]
  for (const [name, argv, code, stderr] of rows) {
    t.match(await render(...argv), { code, stdout: '', stderr }, name)
  }
  t.strictSame(readdirSync(folder).sort(), ['bad.yaml', 'file', 'out'], 'nothing else was written')

  const only = await render('--out', '-', '--only', 'files/containerd/config.toml')
  t.equal(only.stdout, written['files/containerd/config.toml'], 'one file, as it is')
  const quiet = await render('--out', '-', '--only', 'node.json', '--quiet')
  t.match(quiet, { code: 0, stderr: '' })
})

t.test('mistyped names of commands and profiles', async (t) => {
  const rows: readonly [argv: readonly string[], stderr: RegExp][] = [
    [
      ['profiles', 'shw', 'base'],
      /command: profiles shw\n {2}did you mean: winnode profiles show\n/,
    ],
    [['profiles', 'xyz'], /^error: unexpected argument: xyz\n/],
    [['validate', 'ws2022-flannel-overly'], /did you mean ws2022-flannel-overlay\?/],
    [['validate', 'ws2025'], /did you mean ws2025-flannel-overlay\?/],
    [['validate', 'ws2022'], /did you mean ws2022-antrea or ws2022-flannel-l2bridge or /],
    [['validate', 'zzz'], /^error: there is no built-in profile zzz\n {2}see: winnode profiles\n$/],
    [['validate', './zzz.yaml'], /^error: there is no file \.\/zzz\.yaml\n$/],
    [['validate', `./${node}.yml`], new RegExp(`mean ${node}\\?`)],
    [['validate', './profiles/bse.yaml'], /mean \.\/profiles\/base\.yaml\?/],
    [['validate', './profils/base.yaml'], /mean \.\/profiles\/base\.yaml\?/],
    [['validate', './profiles'], /^error: \.\/profiles is a folder, not a profile\n$/],
    [['validate', node, '--layer', 'bas'], /^error: there is no file bas\n$/],
    [
      ['render', node, '--out', '-', '--only', 'config.tml'],
      /no file config\.tml\n {2}did you mean files\/containerd\/config\.toml\?\n$/,
    ],
    [['render', node, '--out', ''], /^error: --out is empty: it names a folder\n$/],
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

t.test('a finding is not at the place of a flag that does not speak of it', async (t) => {
  const argv = ['validate', 'base', '--set', 'kubernetes.version=1.99', '--format', 'lines']
  const { stdout } = await inProcess(argv)
  t.match(stdout, /^artifacts\.sha256: warning: /m)
  t.match(stdout, /^--set kubernetes\.version:1:20: /m)
})

t.test('a finding is where a person can edit its field', async (t) => {
  const head = 'apiVersion: winnode/v1\nkind: NodeProfile\n'
  const folder = t.testdir({
    'bare.yaml': head,
    'own.yaml': `${head}extends: ${node}\nhost:\n  firewall: {}\n`,
    'site.yaml': `${head}host:\n  timeServers: [10.0.0.1]\n`,
  })
  const at = (name: string) => path.join(folder, name)
  const [self, open, release] = [
    'kubelet-serves-self-signed',
    'kubelet-port-open-to-all',
    'windows-in-extended-support',
  ]
  const rows: readonly [name: string, argv: readonly string[], id: string, where: string][] = [
    [
      'a default of a file',
      [at('bare.yaml')],
      open,
      `${at('bare.yaml')}:1:1 host.firewall.kubeletFrom (not set)`,
    ],
    [
      'a map that the file has',
      [at('own.yaml')],
      open,
      `${at('own.yaml')}:5:3 host.firewall.kubeletFrom (not set)`,
    ],
    [
      'a value of the extended built-in profile',
      [at('own.yaml')],
      release,
      `${at('own.yaml')}:1:1 windows.release (built-in ${node}:8)`,
    ],
    [
      'the stronger of two files',
      [at('bare.yaml'), '--layer', at('site.yaml')],
      open,
      `${at('site.yaml')}:3:1 host.firewall.kubeletFrom (not set)`,
    ],
    ['nobody edits a built-in profile', [node], open, 'host.firewall.kubeletFrom (not set)'],
    ['and what it sets', [node], release, `windows.release (built-in ${node}:8)`],
    [
      'a flag beside the field',
      [node, '--set', 'kubelet.taints=[]'],
      self,
      'kubelet.servingCertificateApprover (not set)',
    ],
    [
      'a flag that sets it',
      [node, '--set', 'windows.release=ws2022'],
      release,
      '--set windows.release:1:17',
    ],
  ]
  for (const [name, argv, id, where] of rows) {
    const { stdout } = await inProcess(['validate', ...argv, ...asOfDay, '--verbose'])
    t.equal(new RegExp(`^\\w+\\[${id}\\] (.*)$`, 'm').exec(stdout)?.[1], where, name)
  }
})

t.test('ignore: what was considered is not said again', async (t) => {
  const head = `apiVersion: winnode/v1\nkind: NodeProfile\nextends: ${node}\nignore:\n`
  const open = 'kubelet-port-open-to-all'
  const entry = (id: string, more = '') => `  ${id}: {reason: We looked at it.${more}}\n`
  const all = [open, 'kubelet-serves-self-signed', 'download-digest-from-publisher']
  const folder = t.testdir({
    'all.yaml': head + all.map((id) => entry(id)).join(''),
    'until.yaml': head + entry(open, ', until: 2026-12-31'),
    'unknown.yaml': head + entry('kubelet-port-opn-to-all'),
    'error.yaml': `${head}${entry('flannel-vni-out-of-range')}network: {flannel: {vni: 1}}\n`,
    'weighed.yaml': head + entry('version-has-advisory'),
    'silent.yaml': `${head}  ${open}: {}\n`,
    'blank.yaml': `${head}  ${open}: {reason: ' '}\n`,
    'never.yaml': head + entry(open, ', until: 2026-02-30'),
  })
  const rows: readonly [
    name: string,
    file: string,
    argv: readonly string[],
    code: number,
    said: RegExp,
  ][] = [
    ['nothing is left to warn of', 'all', ['--strict'], 0, /^(?!.*warning)[^]*3 ignored, 4 notes/],
    [
      'it is said on demand',
      'all',
      ['--verbose'],
      0,
      /^ignored\[kubelet-port-open-to-all\] anybody .* \(We looked at it\.\)$/m,
    ],
    ['programs see it', 'all', ['--json'], 0, /"ignored": \[\n[^\]]*"reason": "We looked at it\."/],
    ['until its last day', 'until', ['--as-of', '2026-12-31'], 0, /^(?!.*to-all\])[^]*1 ignored/],
    [
      'and not beyond',
      'until',
      ['--as-of', '2027-01-01'],
      0,
      /^warning\[kubelet-port-open-to-all\][^]*^warning\[ignored-too-long\] \S+:5:3\n.* was to be ignored until 2026-12-31\n/m,
    ],
    [
      'a rule that is none',
      'unknown',
      [],
      0,
      /warning\[ignored-rule-unknown\] \S+:5:3\n[^]*fix: Did you mean kubelet-port-open-to-all\?/,
    ],
    [
      'an error stays, and is told',
      'error',
      [],
      3,
      /error\[flannel-vni-out-of-range\][^]*error\[ignored-rule-is-error\]|error\[ignored-rule-is-error\][^]*error\[flannel-vni-out-of-range\]/,
    ],
    ['a rule that only warns at times', 'weighed', [], 0, /^(?!.*ignored-rule)/s],
    ['without a reason', 'silent', [], 3, /error\[missing-field\]/],
    [
      'with an empty one',
      'blank',
      [],
      3,
      /error\[bad-value\][^]*a\s+reason,\s+as\s+one\s+sentence/,
    ],
    [
      'until a day that is none',
      'never',
      [],
      3,
      /error\[bad-value\][^]*a\s+day\s+such\s+as\s+2027-06-30/,
    ],
  ]
  for (const [name, file, argv, code, said] of rows) {
    const day = argv.includes('--as-of') ? [] : asOfDay
    const profile = path.join(folder, `${file}.yaml`)
    const outcome = await inProcess(['validate', profile, ...argv, ...day])
    t.match(outcome, { code, stdout: said }, name)
  }
  const bundles: Readonly<Record<string, string>>[] = []
  for (const day of ['2026-12-31', '2027-01-01']) {
    const out = path.join(folder, day)
    const profile = path.join(folder, 'until.yaml')
    t.match(await inProcess(['render', profile, '--out', out, '--as-of', day]), { code: 0 })
    bundles.push(bytesIn(out))
  }
  t.strictSame(bundles[0], bundles[1], 'the day changes no byte of a bundle')
})

t.test('other programs’ settings of the environment change nothing', (t) => {
  const env = { CONTENT_TYPE: 'json', DEBUG_COLORS: 'yes', NODE_ENV: 'production' }
  t.match(spawned(['profiles'], { env }), { code: 0, stdout: /^PROFILE +EXTENDS/, stderr: '' })
  t.end()
})

t.test('standard input is nobody’s argument', (t) => {
  const outcome = spawned(['validate'], { input: `${node}\n` })
  t.match(outcome, {
    code: 2,
    stdout: '',
    stderr: /^error: missing profile: A built-in profile, .*\n {2}see: winnode \w+ --help\n$/,
  })
  t.end()
})

t.test('validate: findings for people, for editors and for programs', async (t) => {
  const folder = t.testdir({
    'bad.yaml': 'apiVersion: winnode/v1\nkind: NodeProfile\nnetwork: {flannel: {vni: 1}}\n',
  })
  const file = path.join(folder, 'bad.yaml')
  const clean = [
    ...['kubelet.servingCertificateApprover=a', 'host.firewall.kubeletFrom=[10.0.0.0/24]'].flatMap(
      (one) => ['--set', one],
    ),
  ]
  const rows: readonly [name: string, argv: readonly string[], code: number, stdout: RegExp][] = [
    [
      'pretty',
      [file],
      3,
      /\n\nerror\[flannel-vni-out-of-range\] .*bad\.yaml:3:26\n {2}VNI 1 .*\n {2}3 \| network: \{flannel: \{vni: 1\}\}\n {4}\| +\^\n {2}fix: /,
    ],
    [
      'its last line counts, and names the errors',
      [file],
      3,
      /\n\d+ notes \(--verbose says more\), \d+ warnings, 1 error:\s+flannel-vni-out-of-range\n$/,
    ],
    ['notes are one line', [file], 3, /^(?:note\[[\w-]+\] .*\n){2,}\nwarning\[/],
    [
      'but all is said on demand',
      [file, '--verbose'],
      3,
      /^note\[[\w-]+\] .*\n {2}.*\n[^]*\d notes, /,
    ],
    [
      'lines',
      [file, '--format', 'lines'],
      3,
      /^\S+bad\.yaml:3:26: error: VNI 1 .* \[flannel-vni-out-of-range\]\n/,
    ],
    ['json', [file, '--format', 'json'], 3, /^\[\n {2}\{\n {4}"id": "flannel-vni-out-of-range"/],
    ['--json', [file, '--json'], 3, /^\{\n {2}"ok": false,\n {2}"exit": 3,\n {2}"findings": \[/],
    ['a good profile', [node], 0, /warning\[/],
    [
      'a good profile, strictly',
      [node, '--strict'],
      3,
      /warnings: [\w-]+,\s[^]*; --strict\s+rejects\s+warnings\n$/,
    ],
    [
      'as of a day in its support',
      [node, '--as-of', '2026-10-01', '--format', 'lines'],
      0,
      /^(?!.*windows-in-extended-support)/s,
    ],
    [
      'as of a day after it',
      [node, '--as-of', '2026-10-14', '--format', 'lines'],
      0,
      /windows-in-extended-support/,
    ],
    [
      'with what it warns of set',
      [node, ...clean, '--format', 'lines'],
      0,
      /^(?!.*kubelet-port-open-to-all)/s,
    ],
  ]
  for (const [name, argv, code, stdout] of rows) {
    const day = argv.includes('--as-of') ? [] : asOfDay
    t.match(await inProcess(['validate', ...argv, ...day]), { code, stdout, stderr: '' }, name)
  }
})

t.test('profiles and schema', async (t) => {
  const list = await inProcess(['profiles'])
  t.match(list, { code: 0, stdout: /^PROFILE +EXTENDS +FOR\nbase +Recommendations/, stderr: '' })
  const named = /^ws\S+/gm
  for (const [name] of list.stdout.matchAll(named))
    t.match(await inProcess(['profiles', 'show', name]), {
      code: 0,
      stdout: /^FIELD +VALUE +FROM\n/,
      // What only its reader knows is missing, not wrong.
      stderr: name === 'ws2022-antrea' ? /^needs: join\.endpoint and join\.caCertHashes of / : '',
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

const everyFormat = ['pretty', 'lines', 'json', 'sarif', 'junit', 'markdown', 'github']

t.test('formats for other programs', async (t) => {
  const sarifSchema = JSON.parse(
    readFileSync(path.join(root, 'test/fixtures/sarif/sarif-schema-2.1.0.json'), 'utf8'),
  ) as JsonObject
  const folder = t.testdir({
    'node.yaml': `apiVersion: winnode/v1\nkind: NodeProfile\nextends: ws2022-flannel-overlay\nnetwork:\n  flannel:\n    vni: 3\n`,
  })
  const file = path.join(folder, 'node.yaml')
  const out = path.join(folder, 'out')
  const bundle = path.join(folder, 'bundle')
  await inProcess(['render', 'ws2022-flannel-overlay', '--out', bundle])
  const config = path.join(bundle, 'files/kubelet/config.json')
  writeFileSync(config, readFileSync(config, 'utf8').replace('"maxPods": 110', '"maxPods": 60'))
  const runs: readonly [argv: readonly string[], code: number, id: string][] = [
    [['validate', file], 3, 'flannel-vni-out-of-range'],
    [['render', file, '--out', out], 3, 'flannel-vni-out-of-range'],
    [['drift', 'ws2022-flannel-overlay', bundle], 4, 'field-edited'],
  ]
  for (const [argv, code, id] of runs) {
    for (const format of everyFormat) {
      const name = `${argv[0] ?? ''} --format ${format}`
      const answer = await inProcess([...argv, '--format', format])
      t.equal(answer.code, code, name)
      t.match(format === 'pretty' ? answer.stdout + answer.stderr : answer.stdout, id, name)
      if (format === 'sarif') {
        const document = JSON.parse(answer.stdout) as JsonObject
        t.strictSame(breaches(sarifSchema, document, name), [])
        t.notMatch(answer.stdout, `"text": "${id}"`, 'each rule has its help')
      }
    }
  }
  t.notOk(existsSync(out))
  const good = await inProcess([
    'render',
    'ws2022-flannel-overlay',
    '--out',
    out,
    '--format',
    'github',
  ])
  t.match(good.stdout, /^(::(warning|notice) .*\n)*$/, 'and nothing else')
  const both = await inProcess(['render', 'base', '--out', out, '--diff', '--format', 'sarif'])
  t.equal(both.code, 2, 'stdout has one of them')
})

t.test('a secret in a profile is on no screen and in no log', async (t) => {
  const token = 'abcdef.0123456789abcdef'
  const password = 'https://user:hunter22@mirror.example.com'
  const account = `eyJ${'a'.repeat(20)}.eyJ${'b'.repeat(20)}.${'c'.repeat(20)}`
  const key = '-----BEGIN RSA PRIVATE KEY-----MIIEpAIBAAKCAQEA'
  const rows: readonly (readonly [name: string, line: string, secret: string])[] = [
    ['where a field holds it', `name: ${token}`, token],
    ['under a key that is no field', `token: ${token}`, token],
    ['in a value of the wrong form', `join: {endpoint: "${password}"}`, 'hunter22'],
    ['beside another mistake', `kubelet: {maxPods: 0, labels: {a: "${account}"}}`, account],
    ['where the line cannot be read', `name: "${token}`, token],
    ['in a list', `kubelet: {taints: ["${key}"]}`, 'MIIEpAIB'],
  ]
  for (const [name, line, secret] of rows) {
    const file = path.join(
      t.testdir({ 'node.yaml': `apiVersion: winnode/v1\nkind: NodeProfile\n${line}\n` }),
      'node.yaml',
    )
    const formats = everyFormat.map((format) => ['--format', format])
    for (const argv of [...formats, ['--json']]) {
      const { code, stdout, stderr } = await inProcess(['validate', file, ...argv])
      t.equal(code, 3, name)
      t.notOk(`${stdout}${stderr}`.includes(secret), `${name}: ${argv.join(' ')}`)
    }
    for (const argv of [[], ['--json']]) {
      const { stdout, stderr } = await inProcess(['profiles', 'show', file, ...argv])
      t.notOk(`${stdout}${stderr}`.includes(secret), `${name}: profiles show ${argv.join('')}`)
    }
  }
  const pretty = await inProcess(['validate', 'base', '--set', `join.token=${token}`])
  t.match(
    pretty.stdout,
    /^ {2}1 \| join\.token=\*{23}\n {4}\| \^{10}$/m,
    'and the caret stays right',
  )
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

t.test('of a kind of findings the first hundred are shown, and the others counted', async (t) => {
  const folder = t.testdir()
  const file = path.join(folder, 'profile.yaml')
  const keys = Array.from({ length: 250 }, (_, index) => `  key${index}: 1\n`).join('')
  writeFileSync(
    file,
    `apiVersion: winnode/v1\nkind: NodeProfile\nextends: ws2022-flannel-overlay\nkubelet:\n${keys}`,
  )
  const { code, stdout } = await inProcess(['validate', file, '--format', 'lines'])
  t.equal(code, 3)
  t.equal(stdout.match(/\[unknown-field\]/g)?.length, 100)
  t.ok(stdout.includes('error: 150 more of unknown-field are not shown [more-of-a-kind]'), stdout)
})

t.test('limits of a file', async (t) => {
  const folder = t.testdir()
  const file = path.join(folder, 'profile.yaml')
  const list = (length: number) => `[${Array.from({ length }, () => '1').join()}]`
  const rows: readonly (readonly [config: string, told: RegExp | undefined])[] = [
    [`a: ${list(1000)}`, undefined],
    [`a: ${list(1001)}`, /a map or list has more than 1000 entries \[too-many-entries\]/],
    [Array.from({ length: 9 }, (_, at) => `a${at}: ${list(1000)}`).join(), undefined],
    [
      Array.from({ length: 11 }, (_, at) => `a${at}: ${list(1000)}`).join(),
      /the file has more than 10000 values \[too-large\]/,
    ],
  ]
  for (const [config, told] of rows) {
    writeFileSync(
      file,
      `apiVersion: winnode/v1\nkind: NodeProfile\nkubeProxy: {config: {${config}}}\n`,
    )
    const { stdout } = await inProcess(['validate', file, '--format', 'lines'])
    t.equal(/too-many-entries|too-large/.test(stdout), told !== undefined, stdout.slice(0, 400))
    if (told) t.match(stdout, told)
  }
  const words = Array.from({ length: 4001 }, () => 'x')
  const { code, stderr } = await inProcess(['validate', ...words])
  t.equal(code, 2)
  t.ok(stderr.includes('the command line has more than 4000 words'), stderr)
  const deep = await inProcess(['validate', 'base', '--set', `${'a.'.repeat(60_000)}a=1`])
  t.equal(deep.code, 3)
})
