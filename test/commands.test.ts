// The command line: every trap of the framework that is closed, and what the commands promise.
import * as Flags from '@oclif/core/flags'
import { t } from 'tap'
import { describeCommands } from '../build/manifest.mjs'
import { BaseCommand } from '../src/commands/base.ts'
import type { Cli } from '../src/commands/cli.ts'
import { type Exit, exits } from '../src/commands/exit.ts'
import { Failure } from '../src/commands/failure.ts'
import { argument, asOf } from '../src/commands/flags.ts'
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
  static override examples = ['<%= config.bin %> probe name --end drift']
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
    this.talk(this.paint('stderr')(['red', 'bold'], 'talk'))
    this.data(`data ${this.paint('stdout')('green', args.name ?? 'none')}\n`)
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
    ['an ending is no failure', ['probe', '--end', 'drift'], 4, /^data none\n$/, /^talk\n$/],
    ['evidence may be incomplete', ['probe', '--end', 'incomplete'], 6, /data/, /^talk\n$/],
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
    ['Ctrl-C in a prompt', ['probe', '--throw', 'prompt'], 130, /^$/, /^error: interrupted\n$/],
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
      ['probe', '--end', 'drit'],
      2,
      /^$/,
      /^error: expected --end=drit to be one of: .*\n {2}did you mean drift\?/,
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
      /^error: unknown command: prob x\n {2}did you mean: winnode probe\n {2}see: winnode --help\n$/,
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
    [
      'a flag before the command',
      ['--quiet', 'probe'],
      2,
      /^$/,
      /^error: the command comes first, before --quiet\n/,
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

t.test('--json prints one object and keeps the exit code', async (t) => {
  const cli = await probes()
  const rows: readonly [name: string, argv: readonly string[], object: object][] = [
    [
      'a result',
      ['probe', 'x', '--as-of', '2026-01-02'],
      { ok: true, exit: 0, name: 'x', today: '2026-01-02' },
    ],
    ['an ending', ['probe', '--end', 'drift'], { ok: false, exit: 4, name: null }],
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

t.test('the built program', (t) => {
  t.match(spawned(['--version']), {
    code: 0,
    stdout: /^winnode\/\d+\.\d+\.\d+ \S+ node-v\d.*\n$/,
    stderr: '',
  })
  t.match(spawned(['version']).stdout, /^winnode\//)
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
