// The room `present`: how findings and tables look, and that no input reaches the terminal raw.
import { PassThrough } from 'node:stream'
import { WriteStream } from 'node:tty'
import fc from 'fast-check'
import t from 'tap'
import type { Drift } from '../../src/model/drift.ts'
import type { Finding, Harm, Place } from '../../src/model/finding.ts'
import { paintDiff } from '../../src/present/diff.ts'
import { prettyDrift } from '../../src/present/drift.ts'
import { excerpt } from '../../src/present/excerpt.ts'
import { findingsJson, ignoredJson } from '../../src/present/json.ts'
import { github } from '../../src/present/formats/github.ts'
import { junit } from '../../src/present/formats/junit.ts'
import { markdown } from '../../src/present/formats/markdown.ts'
import type { Entry, RunReport } from '../../src/present/formats/reported.ts'
import { sarif } from '../../src/present/formats/sarif.ts'
import { htmlDrift } from '../../src/present/html/drift.ts'
import { findingLines } from '../../src/present/lines.ts'
import { oneLine } from '../../src/present/one-line.ts'
import { painter } from '../../src/present/paint.ts'
import { prettyFindings } from '../../src/present/pretty.ts'
import { plainScreen, screenOf, type Screen } from '../../src/present/screen.ts'
import { summarize } from '../../src/present/summary.ts'
import { table } from '../../src/present/table.ts'
import { beginning, ending, widthOf } from '../../src/present/width.ts'

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
  place: place(),
}
const old: Finding = {
  id: 'old',
  severity: 'warning',
  path: ['a', 'b c'],
  message: 'm',
  valueFrom: 'not set',
}
const note: Finding = { id: 'note', severity: 'info', path: [], message: 'n' }

function pretty(findings: readonly Finding[], screen: Screen, strict = false): string {
  return prettyFindings({ findings, strict }, screen)
}

/** Shows where colour begins and ends. */
const loud: Screen = {
  ...plainScreen,
  paint: (style, text) => `<${style}>${text}</>`,
}

t.test('findings for a person', async (t) => {
  t.equal(
    pretty([dsr, note, old], plainScreen),
    [
      'error[dsr-needs-overlay] site.yaml:14:8',
      '  direct server return is on, but network.mode is l2bridge',
      '  14 |   dsr: true',
      '     |        ^^^^',
      '  fix: Set network.mode to overlay, or network.dsr to false.',
      '  see: https://example.com/dsr',
      '',
      '1 error: dsr-needs-overlay; and 1 warning, 1 note: --verbose',
      '',
    ].join('\n'),
    'errors last, with their ids; notes as one line',
  )
  t.equal(
    pretty([{ ...note, remedy: 'Think.' }], { ...plainScreen, verbose: true }),
    'note[note] (profile)\n  n\n  fix: Think.\n\nvalid; 1 note\n',
    'everything of a note on demand',
  )
  t.equal(pretty([], plainScreen), 'valid\n')
  const long = { ...old, message: 'word '.repeat(20).trim(), remedy: 'word '.repeat(20).trim() }
  t.equal(
    pretty([long], plainScreen),
    [
      'warning[old] a."b c" (not set)',
      `  ${long.message}`,
      `  fix: ${long.remedy}`,
      '',
      'valid; 1 warning: old',
      '',
    ].join('\n'),
    'a long text is one line in a file or a pipe',
  )
  t.match(
    pretty([long], { ...plainScreen, columns: 80 }),
    [
      `  ${'word '.repeat(15).trim()}`,
      `  ${'word '.repeat(5).trim()}`,
      `  fix: ${'word '.repeat(14).trim()}`,
      `       ${'word '.repeat(6).trim()}`,
    ].join('\n'),
    'and goes on below itself on a terminal',
  )
  for (const columns of [40, 100]) {
    const lines = pretty([long], { ...plainScreen, columns }).split('\n')
    const longest = Math.max(...lines.map((line) => line.length))
    t.ok(longest <= columns && longest > columns - 6, `and fits a terminal of ${columns} columns`)
  }
  t.match(pretty([dsr], loud), '<red>error[dsr-needs-overlay]</> <bold>site.yaml:14:8</>')
  t.match(pretty([old], loud), '<magenta>warning[old]</>')
  t.match(pretty([note], loud), '<bold>note[note]</> n')
  for (const [severity, colour] of [
    ['error', 'red'],
    ['warning', 'magenta'],
  ] as const) {
    const text = pretty([{ ...dsr, severity }], loud)
    t.match(text, `<${colour}>^^^^</>`, `the caret of a ${severity} is ${colour}`)
  }
})

t.test(
  'findings that one upgrade resolves: the reason first, at a place that is set',
  async (t) => {
    const group = { id: 'upgrade', title: 'kubelet 1.36.6 -> 1.32.13 resolves', remedy: 'Set it.' }
    const skew = (id: string, more: Partial<Finding>): Finding => ({
      ...dsr,
      id,
      group,
      message: `${id} is too new`,
      ...more,
    })
    const proxy = skew('proxy', { valueFrom: 'not set' })
    const kubelet = skew('kubelet', { place: place({ line: 20 }) })
    const advisories = ['a', 'b'].map((id) => skew(id, { group: { ...group, countedAs: 'CVE' } }))
    t.match(
      pretty([proxy, kubelet, ...advisories], plainScreen).replaceAll(/\s+/g, ' '),
      'error[upgrade] site.yaml:20:8 kubelet is too new; kubelet 1.36.6 -> 1.32.13 resolves this and 2 CVEs, 1 other finding ',
    )
    const unset = advisories.map((one): Finding => ({ ...one, valueFrom: 'not set' }))
    const warnings = [proxy, kubelet, ...unset].map((one): Finding => ({
      ...one,
      severity: 'warning',
    }))
    t.match(
      pretty(warnings, plainScreen).replaceAll(/\s+/g, ' '),
      'warning[upgrade] site.yaml:20:8 kubelet 1.36.6 -> 1.32.13 resolves: 2 CVEs, 2 other findings ',
    )
  },
)

t.test('what is worst comes last, and within a severity what breaks first', async (t) => {
  const of = (id: string, harm?: Harm, line = 1): Finding => ({
    ...old,
    id,
    ...(harm && { harm }),
    place: { file: 'f', line, column: 1 },
  })
  const found = [
    of('e', 'ages'),
    of('d', 'limits'),
    of('c', 'exposes'),
    of('b', 'breaks', 9),
    of('a'),
  ]
  const ids = [...pretty(found, plainScreen).matchAll(/^warning\[(\w)\]/gm)].map(([, id]) => id)
  t.strictSame(ids, ['a', 'b', 'c', 'd', 'e'])
  const programs = findingsJson([note, ...found, dsr]).map(({ id }) => id)
  t.strictSame(
    programs,
    ['dsr-needs-overlay', 'a', 'b', 'c', 'd', 'e', 'note'],
    'programs read errors first',
  )
})

t.test('the last line names what rejects a profile', async (t) => {
  const rows: readonly [findings: readonly Finding[], strict: boolean, line: string][] = [
    [[], true, 'valid'],
    [[dsr, { ...dsr, id: 'b' }, dsr], false, '3 errors: dsr-needs-overlay (2), b'],
    [[dsr, old, old], true, '1 error: dsr-needs-overlay, 2 warnings: old (2)'],
    [[dsr, old, note], false, '1 error: dsr-needs-overlay; and 1 warning, 1 note: --verbose'],
    [[old], true, '1 warning: old; --strict rejects warnings'],
    [[old, note], false, 'valid; 1 warning: old; 1 note (--verbose for details)'],
    [[note], true, 'valid; 1 note (--verbose for details)'],
  ]
  for (const [findings, strict, line] of rows) {
    t.equal(pretty(findings, plainScreen, strict).trimEnd().split('\n').at(-1), line, line)
  }
})

t.test('what rejects a profile is shown', async (t) => {
  const labels = (findings: readonly Finding[], strict: boolean) =>
    [...pretty(findings, plainScreen, strict).matchAll(/^(\w+)\[/gm)].map(([, label]) => label)
  t.strictSame(labels([dsr, old, note], false), ['error'])
  t.strictSame(labels([dsr, old, note], true), ['warning', 'error'])
  for (const strict of [false, true])
    t.strictSame(labels([old, note], strict), ['note', 'warning'], 'without an error all is')
})

t.test('a place is one that a person can edit', async (t) => {
  const rows: readonly [finding: Partial<Finding>, head: string][] = [
    [{ place: place() }, 'site.yaml:14:8'],
    [{ place: place(), valueFrom: 'not set' }, 'site.yaml:14:8 network.dsr (not set)'],
    [{ valueFrom: 'built-in base:12' }, 'network.dsr (built-in base:12)'],
    [{ path: [] }, '(profile)'],
  ]
  for (const [finding, head] of rows) {
    const { id, severity, path, message } = dsr
    t.match(
      pretty([{ id, severity, path, message, ...finding }], plainScreen),
      `error[dsr-needs-overlay] ${head}\n`,
      head,
    )
  }
})

t.test('a head is folded where a terminal is narrow, and stays one line elsewhere', async (t) => {
  const finding = {
    ...old,
    id: 'download-digest-from-publisher',
    path: ['artifacts', 'sha256'],
    place: place({ file: 'profiles/site.yaml' }),
    valueFrom: 'built-in base:12',
  }
  const head = 'warning[download-digest-from-publisher] profiles/site.yaml:14:8 artifacts.sha256'
  t.match(pretty([finding], plainScreen), `${head} (built-in base:12)\n`)
  for (const columns of [40, 60, 80, 200]) {
    const lines = pretty([finding], { ...plainScreen, columns }).split('\n')
    t.strictSame(
      lines.filter((line) => line.length > columns),
      [],
      `${columns}`,
    )
    t.ok(lines[0]?.startsWith('warning[download-digest-from-publisher]'))
  }
  const [first = '', second] = pretty([finding], { ...loud, columns: 64 }).split('\n')
  t.equal(
    first,
    '<magenta>warning[download-digest-from-publisher]</> <bold>profiles/site.yaml:14:8</>',
  )
  t.equal(second, '  <bold>artifacts.sha256 (built-in base:12)</>')
})

const driftOf = (field: string, more: Partial<Drift> = {}): Drift => ({
  id: 'field-edited',
  severity: 'warning',
  path: [field],
  subject: `config.json#${field}`,
  message: `${field} was modified`,
  weight: 'drift',
  was: 'an edited value',
  should: 'the rendered value',
  place: place({ file: 'config.json' }),
  ...more,
})

t.test('drift of many fields: a line each, or a diff where the terminal is narrow', async (t) => {
  const drifts = ['one', 'two', 'three'].map((field) => driftOf(field))
  const shown = (columns: number) =>
    prettyDrift({ drifts, nodes: [], ignored: [], explain: false }, { ...plainScreen, columns })
  t.match(shown(80), /config\.json, 3 fields\n {2}one: an edited value → the rendered value\n/)
  t.match(
    shown(36),
    '\n  one\n    - an edited value\n    + the rendered value\n  two\n    - an edited value\n',
  )
  t.match(shown(20), '\n    - an edited val…\n    + the rendered …\n')
})

t.test('notes of drift are a line each', async (t) => {
  const drifts = ['one', 'two'].map((field) =>
    driftOf(field, { severity: 'info', message: `${field} waits` }),
  )
  t.match(
    prettyDrift({ drifts, nodes: [], ignored: [], explain: false }, plainScreen),
    /^note\[field-edited\] .*one waits\nnote\[field-edited\] .*two waits\n\n/,
  )
})

t.test('ignored findings are counted, and printed with their reason on demand', async (t) => {
  const told = { findings: [note], ignored: [{ finding: old, reason: 'We looked.' }] }
  t.equal(
    prettyFindings(told, plainScreen),
    'note[note] n\n\nvalid; 1 note, 1 ignored (--verbose for details)\n',
  )
  t.equal(
    prettyFindings(told, { ...plainScreen, verbose: true }),
    'ignored[old] m (We looked.)\n\nnote[note] (profile)\n  n\n\nvalid; 1 note, 1 ignored\n',
  )
  t.match(ignoredJson(told.ignored), [{ id: 'old', severity: 'warning', reason: 'We looked.' }])
})

t.test('a note is one line, wrapped on a terminal', async (t) => {
  const long = { ...note, message: 'word '.repeat(40).trim() }
  const wrapped = pretty([long], { ...plainScreen, columns: 40 }).split('\n\n')[0] ?? ''
  t.ok(wrapped.split('\n').every((line) => line.length <= 40))
  t.equal(wrapped.replace(/\n {2}/g, ' '), `note[note] ${long.message}`, 'and nothing is cut')
  const [whole = ''] = pretty([long], plainScreen).split('\n')
  t.equal(whole, `note[note] ${long.message}`, 'and whole where there is none')
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
      [`1 | …${long.slice(at - 25, at + 47)}…`, `  | ${' '.repeat(25)}^^^^^`],
    ],
    [
      'a long value',
      place({ line: 1, column: 1, length: 500, excerpt: 'x'.repeat(500) }),
      [`1 | ${'x'.repeat(72)}…`, `  | ${'^'.repeat(72)}`],
    ],
  ]
  const narrow = { ...plainScreen, columns: 80 }
  const short = long.slice(0, at + 200)
  for (const [name, where, lines] of rows) t.strictSame(excerpt(where, narrow, 'red'), lines, name)
  t.strictSame(
    excerpt(place({ line: 1, column: at, length: 5, excerpt: short }), plainScreen, 'red'),
    [`1 | ${short}`, `  | ${' '.repeat(at - 1)}^^^^^`],
    'a line is whole in a file or a pipe',
  )
  const [huge = ''] = excerpt(
    place({ line: 1, column: 1, length: 1, excerpt: 'x'.repeat(1e6) }),
    plainScreen,
    'red',
  )
  t.equal(huge, `1 | ${'x'.repeat(600)}…`, 'unless it is longer than any value is shown')
  const wide = `a: ["${'日本語'.repeat(20)}", "é\u0301${'語'.repeat(40)}"]`
  for (const columns of [20, 40, 60, 80])
    for (let column = 1; column <= wide.length; column += 7)
      for (const length of [1, 20, 90]) {
        const lines = excerpt(
          place({ column, length, excerpt: wide }),
          { ...plainScreen, columns },
          'red',
        )
        const widest = Math.max(...lines.map(widthOf))
        if (widest > columns - 2)
          t.fail(`${widest} of ${columns} columns`, { column, length, lines })
      }
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
  t.strictSame(findingsJson([old, dsr]), [
    {
      id: 'dsr-needs-overlay',
      severity: 'error',
      path: 'network.dsr',
      message: 'direct server return is on, but network.mode is l2bridge',
      remedy: 'Set network.mode to overlay, or network.dsr to false.',
      see: 'https://example.com/dsr',
      advisory: null,
      place: { file: 'site.yaml', line: 14, column: 8, length: 4 },
    },
    {
      id: 'old',
      severity: 'warning',
      path: 'a."b c"',
      message: 'm',
      remedy: null,
      see: null,
      advisory: null,
      place: null,
    },
  ])
  const [placed] = findingsJson([{ ...note, place: { file: 'f', line: 1, column: 2 } }])
  t.strictSame(placed?.place, { file: 'f', line: 1, column: 2, length: 1 })
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

t.test('a diff has the colours of git', async (t) => {
  const text = [
    'diff --git a/x b/x',
    '--- a/x',
    '+++ b/x',
    '@@ -1,2 +1,2 @@',
    ' same',
    '--- old',
    '+++ new',
    '\\ No newline at end of file',
    '',
  ]
  t.strictSame(paintDiff(text.join('\n'), loud.paint).split('\n'), [
    '<bold>diff --git a/x b/x</>',
    '<bold>--- a/x</>',
    '<bold>+++ b/x</>',
    '<magenta>@@ -1,2 +1,2 @@</>',
    ' same',
    '<red>--- old</>',
    '<green>+++ new</>',
    '\\ No newline at end of file',
    '',
  ])
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
      ['a', 'why'],
      [
        ['x', words],
        ['y', 'z'],
      ],
    ),
    `a  why\nx  ${words}\ny  z\n`,
    'without a terminal, a row is one line',
  )
  const short = table(['a', 'b'], [['x']])
  t.equal(short, 'a  b\nx\n')
})

t.test('tables fit the terminal', async (t) => {
  const rows = [
    ['short', 'x'.repeat(30), 'some words that go on for a while'],
    ['b', 'y', 'z'],
  ]
  const fitting = table(['NAME', 'VALUE', 'FROM'], rows, { ...plainScreen, columns: 40 })
  t.equal(
    fitting,
    [
      'NAME   VALUE            FROM',
      'short  xxxxxxxxxxxxxxx  some words that',
      '       xxxxxxxxxxxxxxx  go on for a',
      '                        while',
      'b      y                z',
      '',
    ].join('\n'),
  )
  const broken = table(['NAME', 'WHY'], [['name', `compare with ${'y'.repeat(40)}`]], {
    ...plainScreen,
    columns: 30,
  })
  t.ok(
    broken.split('\n').every((line) => widthOf(line) <= 30),
    broken,
  )
  const narrow = table(['NAME', 'VALUE', 'FROM'], rows, { ...plainScreen, columns: 20 })
  t.strictSame(
    narrow.split('\n').filter((line) => widthOf(line) > 20),
    [],
  )
  t.match(
    table(['NAME', 'VALUE', 'FROM'], rows),
    /^short {2}x{30} {2}some words that go on for a while$/m,
  )
  const wide = table(
    ['A', 'B'],
    [
      ['x'.repeat(1000), 'y'],
      ['z', 'y'],
    ],
  )
  t.match(wide, /^z {61}y$/m, 'without one, a long cell does not widen the other rows')
})

t.test('a screen is as wide as its terminal says', async (t) => {
  const rows: readonly [columns: number | undefined, found: number][] = [
    [120, 120],
    [0, Infinity],
    [undefined, Infinity],
  ]
  for (const [columns, found] of rows) {
    const stream = Object.assign(new PassThrough(), { columns })
    t.equal(screenOf(stream, { colours: false, verbose: false }).columns, found, String(columns))
  }
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
    ['ｶﾞ', 2],
  ]
  for (const [text, width] of rows) t.equal(widthOf(text), width, text)
})

t.test('a text is cut between characters, to what fits', async (t) => {
  const rows: readonly [text: string, columns: number, head: string, tail: string][] = [
    ['abc', 2, 'ab', 'bc'],
    ['abc', 3, 'abc', 'abc'],
    ['abc', 0, '', ''],
    ['\u{20000}\u{20000}', 3, '\u{20000}', '\u{20000}'],
    ['、、日日', 5, '、、', '日日'],
    ['“x” y', 4, '“x” ', 'x” y'],
    ['e\u0301e\u0301', 1, 'e\u0301', 'e\u0301'],
  ]
  for (const [text, columns, head, tail] of rows) {
    t.equal(beginning(text, columns), head, `${text} from the left`)
    t.equal(ending(text, columns), tail, `${text} from the right`)
  }
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
      const printed = pretty([finding, { ...note, path: [text] }], plainScreen)
      const all = [printed, findingLines([finding]), table([text], [[text]])]
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
    const painted = painter(stream)('red', 'x')
    t.equal(painted, coloured ? '\u001b[31m\u001b[1mx\u001b[22m\u001b[39m' : 'x', name)
  }
  put('NO_COLOR', undefined)
  put('FORCE_COLOR', '1')
  const paint = painter(terminal)
  const bright = '\u001b[35m\u001b[1mx\u001b[22m\u001b[39m'
  t.equal(paint('magenta', 'x'), bright, 'bright where the background is dark')
  t.equal(paint('green', 'x'), '\u001b[32mx\u001b[39m')
})

const entry = (more: Partial<Entry> = {}): Entry => ({
  id: 'dsr-needs-overlay',
  severity: 'error',
  message: 'it is on',
  remedy: 'Set it off.',
  see: 'https://example.com/dsr',
  place: { file: 'site.yaml', line: 14, column: 8, length: 4 },
  about: 'network.dsr',
  cases: [{ names: ['dsr-needs-overlay'], message: 'it is on' }],
  fails: true,
  ...more,
})
const reported = (
  entries: readonly Entry[],
  more: Partial<RunReport> = {},
): readonly RunReport[] => [
  {
    command: 'validate',
    version: '1.2.3',
    profile: './site.yaml',
    isFile: true,
    entries,
    checked: ['dsr-needs-overlay', 'other'],
    descriptions: [
      { id: 'dsr-needs-overlay', summary: 'It is off.', see: 'https://example.com/dsr' },
    ],
    ...more,
  },
]

t.test('github: what the runner takes back is put away', async (t) => {
  const rows: readonly [name: string, entry: Partial<Entry>, line: string][] = [
    [
      'a finding',
      {},
      '::error title=dsr-needs-overlay,file=site.yaml,line=14,col=8,endColumn=12::it is on%0ASet it off.',
    ],
    [
      'marks of the file itself',
      { severity: 'info', place: { file: 'a,b:c%.yaml', line: 1, column: 1 }, remedy: undefined },
      '::notice title=dsr-needs-overlay,file=a%2Cb%3Ac%25.yaml,line=1,col=1,endColumn=2::it is on',
    ],
    [
      'and in a message, where a colon and a comma mean nothing',
      { severity: 'warning', message: '100%0A::error::x, y', remedy: undefined },
      '::warning title=dsr-needs-overlay,file=site.yaml,line=14,col=8,endColumn=12::100%250A::error::x, y',
    ],
    [
      'a flag is no file',
      { place: { file: '--set network.dsr', line: 1, column: 13 }, remedy: undefined },
      '::error title=dsr-needs-overlay,file=site.yaml,line=1,col=1,endColumn=2::network.dsr: it is on',
    ],
  ]
  for (const [name, more, line] of rows) t.equal(github(reported([entry(more)])), `${line}\n`, name)
  t.equal(github(reported([entry({ accepted: 'known' })])), '', 'what is accepted is not said')
  const nowhere = github(reported([entry({ place: undefined })], { isFile: false }))
  t.match(nowhere, /^::error title=dsr-needs-overlay::network.dsr: it is on/)
})

t.test('github: nothing that a profile says becomes a command', async () => {
  const text = fc.string({
    unit: fc.constantFrom('%', ':', ',', '\n', '\r', '0', 'A', '5', '=', ' '),
  })
  const property = fc.property(text, text, (file, message) => {
    const at = { file, line: 1, column: 1 }
    const said = github(reported([entry({ place: at, message, remedy: undefined })]))
    const lines = said.trimEnd().split('\n')
    if (lines.length !== 1) return false
    const [, head = '', ...rest] = said.slice(0, -1).split('::')
    const named = /,file=([^,]*),line/.exec(head)?.[1] ?? ''
    const back = (value: string) =>
      value
        .replaceAll('%0D', '\r')
        .replaceAll('%0A', '\n')
        .replaceAll('%3A', ':')
        .replaceAll('%2C', ',')
        .replaceAll('%25', '%')
    const raw = (value: string) => value.replaceAll('\r', '\\u000d')
    return back(named) === raw(file).replaceAll('\\', '/') && !rest.join('::').includes('\n')
  })
  fc.assert(property)
})

t.test('no format lets a text begin a line that a runner takes for a command', async (t) => {
  const rude = 'a\n::error::b'
  const one = entry({
    message: rude,
    remedy: rude,
    about: rude,
    place: undefined,
    cases: [{ names: [rude, '::error::c'], message: rude }],
  })
  const other = { ...one, about: '::error::d', accepted: rude }
  const drift = {
    id: 'file-edited',
    severity: 'error',
    subject: rude,
    path: [rude],
    message: rude,
    weight: 'drift',
  } as const
  const page = { profile: rude, version: '1', drifts: [drift], nodes: [rude], ignored: [] }
  const texts = {
    junit: [...junit(reported([one, other, one], { profile: rude, checked: [rude] }))].join(''),
    html: [...htmlDrift(page)].join(''),
    pretty: pretty(
      [{ ...old, message: `${'x '.repeat(38)}::error::b`, remedy: rude }],
      plainScreen,
    ),
  }
  // https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs: blanks before it are dropped.
  for (const [format, text] of Object.entries(texts)) t.notMatch(text, /^\s*::[^:\n]*::/m, format)
  t.match(texts.junit, 'name="a\\n::error::b"')
  t.equal(oneLine('::1 and ::/0'), '::1 and ::/0', 'addresses are as they were')
})

t.test('sarif: paths are addresses, and what is accepted is suppressed', async (t) => {
  const uriOf = (file: string) => {
    const text = sarif(reported([entry({ place: { file, line: 1, column: 1 } })]))
    return /"uri": "(.*)"/.exec(text)?.[1]
  }
  t.equal(uriOf('./a b/n#1.yaml'), 'a%20b/n%231.yaml')
  t.equal(uriOf('/srv/node.yaml'), 'file:///srv/node.yaml')
  t.equal(uriOf('C:\\srv\\node.yaml'), 'file:///C:/srv/node.yaml')
  t.equal(uriOf('--set a.b'), 'site.yaml')
  t.match(JSON.parse(sarif(reported([entry(), entry({ accepted: 'known' })]))), {
    runs: [
      {
        automationDetails: { id: 'winnode/validate/./site.yaml/' },
        results: [
          { ruleIndex: 0, suppressions: undefined },
          { suppressions: [{ kind: 'external', justification: 'known' }] },
        ],
      },
    ],
  })
})

t.test('junit: a case for each thing that was looked at', async (t) => {
  const pieces = junit(
    reported([
      entry({ message: 'a <b> & "c"\u0001\ud800', cases: [{ names: ['win-1'], message: '<x>' }] }),
      entry({ accepted: 'known', cases: [{ names: ['win-2'], message: 'it is on' }] }),
      entry({ fails: false, severity: 'info', cases: [{ names: ['win-3'], message: 'note' }] }),
      entry({ accepted: 'known', cases: [{ names: ['win-4'], message: 'it is on' }] }),
      entry({ fails: false, severity: 'info', cases: [{ names: ['win-4'], message: 'note' }] }),
    ]),
  )
  const text = [...pieces].join('')
  t.match(
    text,
    '<testsuites name="winnode validate ./site.yaml" tests="6" failures="1" errors="0" time="0">',
  )
  t.match(text, '<failure message="&lt;x&gt;" type="dsr-needs-overlay">')
  t.match(text, '<skipped message="it is on (known)"/>')
  t.match(text, /name="win-3" time="0">\n {6}<system-out>/)
  t.match(text, /name="win-4" time="0">\n {6}<system-out>/, 'not all of it is accepted')
  t.match(text, 'name="other" time="0"/>')
})

t.test('markdown: text means itself', async (t) => {
  const rude = { message: 'a|b <img> [x](y) @team #1 `c`', remedy: undefined }
  const page = markdown(reported([entry(rude), entry({ accepted: 'known' })]))
  t.match(
    page,
    '| error | `site.yaml:14:8` | a\\|b \\<img\\> \\[x\\](y) @<!-- -->team #<!-- -->1 \\`c\\` | [`dsr-needs-overlay`](https://example.com/dsr) |',
  )
  t.match(page, '1 error, 1 accepted')
  t.equal(markdown(reported([])), '## winnode validate: ./site.yaml\n\nNothing was found.\n')
  const many = Array.from({ length: 130 }, () => entry())
  t.match(markdown(reported(many)), '30 more are not shown.')
})
