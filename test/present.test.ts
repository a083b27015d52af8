// The room `present`: how findings and tables look, and that no input reaches the terminal raw.
import { PassThrough } from 'node:stream'
import { WriteStream } from 'node:tty'
import fc from 'fast-check'
import t from 'tap'
import type { Finding, Place } from '../src/model/finding.ts'
import { excerpt } from '../src/present/excerpt.ts'
import { findingsJson } from '../src/present/json.ts'
import { findingLines } from '../src/present/lines.ts'
import { oneLine } from '../src/present/one-line.ts'
import type { Paint } from '../src/present/paint.ts'
import { painter, plain } from '../src/present/paint.ts'
import { prettyFindings } from '../src/present/pretty.ts'
import { summarize } from '../src/present/summary.ts'
import { table } from '../src/present/table.ts'
import { widthOf } from '../src/present/width.ts'

const place = (more: Partial<Place> = {}): Place => ({
  file: 'site.yaml',
  line: 14,
  column: 8,
  length: 4,
  excerpt: '  dsr: true',
  ...more,
})

const dsr: Finding = {
  id: 'dsr-needs-overlay',
  severity: 'error',
  path: ['network', 'dsr'],
  message: 'direct server return is on, but network.mode is l2bridge',
  remedy: 'Set network.mode to overlay, or network.dsr to false.',
  see: 'https://example.com/dsr',
  refs: ['cni/DSR001'],
  place: place(),
}
const old: Finding = { id: 'old', severity: 'warning', path: ['a', 'b c'], message: 'm' }
const note: Finding = { id: 'note', severity: 'info', path: [], message: 'n' }

/** Shows where colour begins and ends. */
const loud: Paint = (style, text) => `<${String(style)}>${text}</>`

t.test('findings for a person', async (t) => {
  t.equal(
    prettyFindings([note, old, dsr], plain),
    [
      'error[dsr-needs-overlay] site.yaml:14:8',
      '  direct server return is on, but network.mode is l2bridge',
      '  14 |   dsr: true',
      '     |        ^^^^',
      '  fix: Set network.mode to overlay, or network.dsr to false.',
      '  see: https://example.com/dsr',
      '',
      'warning[old] a."b c" (not set)',
      '  m',
      '',
      'info[note] (profile)',
      '  n',
      '',
      '1 error, 1 warning, 1 note',
      '',
    ].join('\n'),
  )
  t.equal(prettyFindings([], plain), 'no findings\n')
  const long = { ...old, message: 'word '.repeat(20).trim(), remedy: 'word '.repeat(20).trim() }
  t.equal(
    prettyFindings([long], plain),
    [
      'warning[old] a."b c" (not set)',
      `  ${'word '.repeat(15).trim()}`,
      `  ${'word '.repeat(5).trim()}`,
      `  fix: ${'word '.repeat(14).trim()}`,
      `       ${'word '.repeat(6).trim()}`,
      '',
      '1 warning',
      '',
    ].join('\n'),
    'a long text goes on below itself',
  )
  t.match(prettyFindings([dsr], loud), '<red>error[dsr-needs-overlay]</> <bold>site.yaml:14:8</>')
  t.match(prettyFindings([old], loud), '<yellow>warning[old]</>')
})

t.test('the caret stands below what is wrong', async (t) => {
  const long = `a: [${'abcdefghi, '.repeat(30)}WRONG, ${'abcdefghi, '.repeat(30)}]`
  const at = long.indexOf('WRONG') + 1
  const rows: readonly [name: string, place: Place, lines: readonly string[]][] = [
    ['one column', place({ length: 1 }), ['14 |   dsr: true', '   |        ^']],
    ['no length', { file: 'f', line: 1, column: 1, excerpt: 'ab' }, ['1 | ab', '  | ^']],
    ['no text', { file: 'f', line: 1, column: 1 }, []],
    ['an empty line', place({ excerpt: ' ' }), []],
    [
      'behind the end',
      place({ line: 1, column: 3, length: 1, excerpt: 'ab' }),
      ['1 | ab', '  |   ^'],
    ],
    [
      'wide characters',
      place({ line: 1, column: 4, length: 2, excerpt: '日本 語語' }),
      ['1 | 日本 語語', '  |      ^^^^'],
    ],
    [
      'combined characters',
      place({ line: 1, column: 4, length: 1, excerpt: 'e\u0301 x' }),
      ['1 | e\u0301 x', '  |   ^'],
    ],
    ['tabs', place({ line: 1, column: 2, length: 1, excerpt: '\tx' }), ['1 | \\tx', '  |   ^']],
    [
      'escapes',
      place({ line: 1, column: 2, length: 1, excerpt: '\u001bx\u202e' }),
      ['1 | \\u001bx\\u202e', '  |       ^'],
    ],
    [
      'a long line',
      place({ line: 1, column: at, length: 5, excerpt: long }),
      [`1 | …${long.slice(at - 31, at + 59)}…`, `  | ${' '.repeat(31)}^^^^^`],
    ],
    [
      'a long value',
      place({ line: 1, column: 1, length: 500, excerpt: 'x'.repeat(500) }),
      [`1 | ${'x'.repeat(90)}…`, `  | ${'^'.repeat(90)}`],
    ],
  ]
  for (const [name, where, lines] of rows) t.same(excerpt(where, plain), lines, name)
})

t.test('findings for pipelines', async (t) => {
  t.equal(
    findingLines([old, dsr]),
    'site.yaml:14:8: error: direct server return is on, but network.mode is l2bridge [dsr-needs-overlay]\n' +
      'a."b c": warning: m [old]\n',
  )
  t.equal(findingLines([]), '')
})

t.test('findings for programs', async (t) => {
  t.same(findingsJson([old, dsr]), [
    {
      id: 'dsr-needs-overlay',
      severity: 'error',
      path: 'network.dsr',
      message: 'direct server return is on, but network.mode is l2bridge',
      remedy: 'Set network.mode to overlay, or network.dsr to false.',
      see: 'https://example.com/dsr',
      refs: ['cni/DSR001'],
      place: { file: 'site.yaml', line: 14, column: 8, length: 4 },
    },
    {
      id: 'old',
      severity: 'warning',
      path: 'a."b c"',
      message: 'm',
      remedy: null,
      see: null,
      refs: [],
      place: null,
    },
  ])
  const [bare] = findingsJson([{ ...note, place: { file: 'f', line: 1, column: 2 } }])
  t.same(bare?.place, { file: 'f', line: 1, column: 2, length: 1 })
})

t.test('the summary counts', async (t) => {
  const rows: readonly [findings: readonly Finding[], text: string][] = [
    [[], 'no findings'],
    [[dsr], '1 error'],
    [[dsr, dsr, old], '2 errors, 1 warning'],
    [[old, old], '2 warnings'],
    [[note, note], '2 notes'],
  ]
  for (const [findings, text] of rows) t.equal(summarize(findings), text)
})

t.test('tables stand in columns', async (t) => {
  const rows = [
    ['base', 'Our recommendations.'],
    ['日本', 'x\n\u001by'],
    ['long-name', ''],
  ]
  t.equal(
    table(['name', 'summary'], rows),
    [
      'name       summary',
      'base       Our recommendations.',
      '日本       x\\n\\u001by',
      'long-name',
      '',
    ].join('\n'),
  )
  t.match(table(['a'], [], loud), '<bold>a</>\n')
  const words = 'word '.repeat(20).trim()
  t.equal(
    table(
      ['a', { prose: 'why' }],
      [
        ['x', words],
        ['y', 'z'],
      ],
    ),
    `a  why\nx  ${'word '.repeat(15).trim()}\n   ${'word '.repeat(5).trim()}\ny  z\n`,
    'prose goes on below itself, within 80 columns',
  )
  const short = table(['a', 'b'], [['x']])
  t.equal(short, 'a  b\nx\n')
})

t.test('the width of text', async (t) => {
  const rows: readonly [text: string, width: number][] = [
    ['', 0],
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 1],
    ['日本', 4],
    ['ひカ한', 6],
    ['😀', 2],
    ['！', 2],
  ]
  for (const [text, width] of rows) t.equal(widthOf(text), width, text)
})

t.test('nothing from outside reaches a terminal raw', async (t) => {
  const raw = /[\p{Cc}\p{Cf}\u2028\u2029]/u
  t.equal(
    oneLine('a\u001b[31m\n\t\r\u009b\u202e\u2066\u2028é'),
    'a\\u001b[31m\\n\\t\\u000d\\u009b\\u202e\\u2066\\u2028é',
  )
  const texts = fc.string({ unit: 'binary', maxLength: 40 })
  const found = fc.record({
    text: texts,
    column: fc.integer({ min: 1, max: 60 }),
    length: fc.nat(60),
  })
  fc.assert(
    fc.property(found, ({ text, column, length }) => {
      const finding: Finding = {
        id: text,
        severity: 'error',
        path: [text],
        message: text,
        remedy: text,
        see: text,
        place: { file: text, line: 1, column, length, excerpt: text },
      }
      const pretty = prettyFindings([finding, { ...note, path: [text] }], plain)
      const all = [pretty, findingLines([finding]), table([text], [[text]])]
      return all.every((one) => one.split('\n').every((line) => !raw.test(line)))
    }),
  )
})

t.test('colour is for terminals that want it', async (t) => {
  const terminal = Object.assign(new PassThrough(), {
    isTTY: true,
    getColorDepth: () => {
      const unwanted = process.env['NO_COLOR']
      const env = unwanted === undefined ? { TERM: 'xterm' } : { TERM: 'xterm', NO_COLOR: unwanted }
      return WriteStream.prototype.getColorDepth(env)
    },
  })
  const rows: readonly [
    name: string,
    env: NodeJS.ProcessEnv,
    stream: PassThrough,
    coloured: boolean,
  ][] = [
    ['a terminal', {}, terminal, true],
    ['a pipe', {}, new PassThrough(), false],
    ['a pipe, forced', { FORCE_COLOR: '1' }, new PassThrough(), true],
    ['a terminal, unwanted', { NO_COLOR: '1' }, terminal, false],
  ]
  const names = ['FORCE_COLOR', 'NO_COLOR', 'NODE_DISABLE_COLORS']
  const before = names.map((name) => [name, process.env[name]] as const)
  const put = (name: string, value: string | undefined) => {
    if (value === undefined) Reflect.deleteProperty(process.env, name)
    else process.env[name] = value
  }
  t.teardown(() => before.forEach(([name, value]) => put(name, value)))
  for (const [name, env, stream, coloured] of rows) {
    for (const key of names) put(key, env[key])
    const painted = painter(stream)(['red', 'bold'], 'x')
    t.equal(painted, coloured ? '\u001b[31m\u001b[1mx\u001b[22m\u001b[39m' : 'x', name)
  }
})
