// The room `render`: what templates may hold, how values are written, and what a bundle is made of.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { parse as parseToml } from 'smol-toml'
import t, { type Test } from 'tap'
import { parseAllDocuments } from 'yaml'
import type { DraftStep, Plan, PlannedFile, View } from '../../src/model/plan.ts'
import { checkBundlePaths, pathProblem } from '../../src/model/bundle-path.ts'
import { instantiate } from '../../src/render/engine.ts'
import type { Template } from '../../src/render/engine.ts'
import { precompileTemplate } from '../../src/render/autoescape.ts'
import { jsonText } from '../../src/render/json-text.ts'
import { extensionOf, outputName } from '../../src/render/languages.ts'
import { isNotation, quotes } from '../../src/render/quote.ts'
import type { Notation } from '../../src/render/quote.ts'
import { loadTemplate } from '../../src/render/templates.ts'
import { tomlText } from '../../src/render/toml-text.ts'
import { recordReads } from '../tools/recording.ts'
import { renderFiles } from '../../src/render/render.ts'
import { fabricate, needsOf } from './fabricate.ts'
import { hostileText } from './hostile.ts'
import { templates } from './templates.ts'

/** The module that the build would write. */
async function load(source: string, name: string): Promise<{ default: unknown }> {
  const code = encodeURIComponent(precompileTemplate(source, name))
  const module: { default: unknown } = await import(`data:text/javascript,${code}`)
  return module
}

/** As the build and the run time do it, without a file between them. */
async function compile(source: string, name: string): Promise<Template> {
  return instantiate((await load(source, name)).default)
}

async function fixture(name: string): Promise<Template> {
  return compile(templates[name] ?? '', name)
}

// ---- templates that the build refuses ----

const refused: readonly [sentence: string, source: string, message: string, name?: string][] = [
  ['three braces', 'a\n  {{{x}}}', '2:3: raw output is forbidden'],
  ['an ampersand', 'a = {{&x}}', '1:5: raw output is forbidden'],
  ['three braces that trim', '{{~{x}~}}', '1:1: raw output is forbidden'],
  ['a backslash before an expression', 'a\nC:\\{{x}}', '2:4: a backslash or a raw block swallowed'],
  ['a raw block', '{{{{if x}}}}{{y}}{{{{/if}}}}', '1:13: a backslash or a raw block swallowed'],
  ['a raw block of another name', '{{{{raw}}}}x{{{{/raw}}}}', '1:1: unknown block raw'],
  ['a decorator', 'a\n{{* dec}}', '2:1: decorators are forbidden'],
  ['an inline partial', '{{#*inline "p"}}x{{/inline}}', '1:1: inline partials are forbidden'],
  ['a partial', 'a {{> p}}', '1:3: partials are forbidden'],
  ['a dynamic partial', 'a {{> (lookup . "p")}}', '1:3: partials are forbidden'],
  ['a partial block', '{{#> p}}x{{/p}}', '1:1: partial blocks are forbidden'],
  ['an unknown helper', 'a\n {{upper x}}', '2:2: unknown helper upper; there is none'],
  ['the built-in lookup', '{{lookup x "y"}}', '1:1: unknown helper lookup'],
  ['the built-in log', '{{log x}}', '1:1: unknown helper log'],
  ['the guard itself', '{{__write x "a" "b" "toml"}}', '1:1: unknown helper __write'],
  ['a word of another language', '{{prose x}}', '1:1: unknown helper prose'],
  [
    'an unknown word of Markdown',
    '{{toml x}}',
    '1:1: unknown helper toml; there is prose, shell, powershell',
    'a.md.hbs',
  ],
  ['a word without a name', '{{prose x y}}', '1:1: prose takes exactly one name', 'a.md.hbs'],
  ['a word with options', '{{prose x y=1}}', '1:1: prose takes exactly one name', 'a.md.hbs'],
  ['a call as an operand', '{{prose (prose x)}}', '1:9: an expression names a value', 'a.md.hbs'],
  ['a literal', '{{"x"}}', '1:3: an expression names a value'],
  ['a deep path', 'a\n{{a.b}}', '2:3: a.b has more than one part'],
  ['a deep path from the root', '{{@root.a}}', '1:3: @root.a has more than one part'],
  ['a deep path in a condition', '{{#if a.b}}{{/if}}', '1:7: a.b has more than one part'],
  ['a deep path upwards', '{{#each a}}{{../b.c}}{{/each}}', '1:14: ../b.c has more than one part'],
  ['a parent above the top', 'a\n{{../x}}', '2:3: ../x leads out of the view'],
  ['a parent of a condition', '{{#if x}}{{../x}}{{/if}}', '1:12: ../x leads out of the view'],
  [
    'a parent above the top, from a list',
    '{{#each x}}{{../../y}}{{/each}}',
    '1:14: ../../y leads out of the view',
  ],
  [
    'a parent after else',
    '{{#each x}}{{else}}{{../x}}{{/each}}',
    '1:22: ../x leads out of the view',
  ],
  ['a block that is not ours', 'a\n{{#with x}}{{/with}}', '2:1: unknown block with'],
  ['a section', '{{#x}}{{/x}}', '1:1: unknown block x'],
  ['an inverse section', '{{^x}}{{/x}}', '1:1: unknown block x'],
  ['a block within a block', '{{#if x}}\n{{else with y}}{{/if}}', '2:1: unknown block with'],
  ['a condition of nothing', '{{#if}}{{/if}}', '1:1: #if takes exactly one name'],
  ['a condition of two', '{{#if x y}}{{/if}}', '1:1: #if takes exactly one name'],
  [
    'a condition with options',
    '{{#if x includeZero=true}}{{/if}}',
    '1:1: #if takes exactly one name',
  ],
  ['a condition on a call', '{{#if (lookup x y)}}{{/if}}', '1:7: an expression names a value'],
  ['a condition on a literal', '{{#if true}}{{/if}}', '1:7: an expression names a value'],
  ['block parameters', '{{#each x as |y|}}{{/each}}', '1:1: block parameters are forbidden'],
  [
    'block parameters of the other side',
    '{{^if x as |y|}}{{/if}}',
    '1:1: block parameters are forbidden',
  ],
  ['a block that is closed as another', 'a\n{{#if x}}{{/each}}', "2:4: if doesn't match each"],
  ['a block that is never closed', '{{#if x}}', '1:1: Parse error on line 1'],
  ['an empty expression', 'a\n  {{}}', '2:3: Parse error on line 2'],
  ['a brace after an expression', '@{a={{x}}}', '1:5: Parse error on line 1'],
  ['an expression in double quotes', 'x = "{{x}}"', '1:6: is inside "'],
  ['an expression in single quotes', "a\nx = 'a {{x}} b'", "2:8: is inside '"],
  ['a second expression in quotes', 'x = "{{#if a}}b{{x}}{{/if}}"', '1:16: is inside "'],
  ['an expression in backticks', 'see `{{x}}`', '1:6: is inside `', 'a.md.hbs'],
  ['a carriage return', 'a\r\nb', '1:2: a carriage return'],
  ['a byte order mark', '\ufeffa', '1:1: a byte order mark'],
  ['a non-ASCII script', '# a\n# b\u2019', '2:4: a character outside ASCII', 'a.ps1.hbs'],
  ['an unknown extension', 'a', '1:1: no language has this extension', 'a.cfg.hbs'],
  ['no extension', 'a', '1:1: no language has this extension', 'folder.d/a'],
]

t.test('the build refuses', async (t) => {
  for (const [sentence, source, message, name = 'a/b.toml.hbs'] of refused) {
    t.throws(
      () => precompileTemplate(source, name),
      { message: new RegExp(`^${escapeRegExp(`${name}:${message}`)}`) },
      sentence,
    )
  }
})

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

t.test('TOML keeps every name and value, and its comments', (t) => {
  const value = {
    version: 3,
    texts: hostileText,
    names: Object.fromEntries(hostileText.map((name, index) => [name, { index, on: true }])),
  }
  for (const literalNames of [false, true]) {
    const text = tomlText({
      kind: 'toml',
      head: 'A file.',
      value: { ...value, empty: {} },
      literalNames,
    })
    // smol-toml makes objects without a prototype.
    t.strictSame(structuredClone(parseToml(text)), value)
  }
  const text = tomlText({
    kind: 'toml',
    head: 'A file.',
    value: { version: 3, root: 'a', 'b.c': { d: { e: [true, 1] }, f: 'g' } },
    comments: [
      { at: ['root'], text: 'Of a key.' },
      { at: ['b.c', '*'], text: 'Of a table, and of a key in one.' },
    ],
    literalNames: true,
  })
  const lines = [
    ['# A file.', 'version = 3'],
    ['# Of a key.', 'root = "a"'],
    ["['b.c']", '# Of a table, and of a key in one.', 'f = "g"'],
    ['# Of a table, and of a key in one.', "['b.c'.d]", 'e = [true, 1]'],
  ]
  t.equal(text, lines.map((part) => part.join('\n')).join('\n\n'))
  const nothing = { kind: 'toml', head: '', value: { a: null } } as const
  t.throws(() => tomlText(nothing), { message: /must be text/ })
  t.end()
})

// ---- what the engine refuses ----

const wanted = 'must be text, a boolean or a whole number, not'
const tooLarge = 'must be a whole number that every reader keeps, not'
const noCondition = 'must be a boolean, text or a list'

const failing: readonly [sentence: string, source: string, view: object, message: string][] = [
  ['a missing key', 'a\n {{x}}', {}, '2:4: {{x}} is not in the view'],
  ['an undefined key', '{{x}}', { x: undefined }, '1:3: {{x}} is not in the view'],
  ['a key of every object', '{{toString}}', {}, '1:3: {{toString}} is not in the view'],
  ['the constructor', '{{constructor}}', {}, '1:3: {{constructor}} is not in the view'],
  ['null', '{{x}}', { x: null }, `1:3: {{x}} ${wanted} null`],
  ['a list', '{{x}}', { x: [] }, `1:3: {{x}} ${wanted} a list`],
  ['an object', '{{x}}', { x: {} }, `1:3: {{x}} ${wanted} a value of type object`],
  ['a function', '{{x}}', { x: () => 'y' }, `1:3: {{x}} ${wanted} a value of type function`],
  [
    'text that poses as safe',
    '{{x}}',
    { x: { toHTML: () => 'y' } },
    `1:3: {{x}} ${wanted} a value`,
  ],
  ['a fraction', '{{x}}', { x: 1.5 }, `1:3: {{x}} ${tooLarge} 1.5`],
  ['a number too large', '{{x}}', { x: 2 ** 53 }, `1:3: {{x}} ${tooLarge} 9007199254740992`],
  ['not a number', '{{x}}', { x: NaN }, `1:3: {{x}} ${tooLarge} NaN`],
  ['NUL', '{{x}}', { x: 'ab\0' }, '1:3: {{x}} holds NUL at character 3'],
  ['half a pair', '{{x}}', { x: 'a\ud83d' }, '1:3: {{x}} holds a lone surrogate at character 2'],
  ['a missing condition', 'a\n{{#if x}}{{/if}}', {}, '2:7: {{x}} is not in the view'],
  ['a missing exception', '{{#unless x}}{{/unless}}', {}, '1:11: {{x}} is not in the view'],
  ['a missing else', '{{#if a}}{{else if x}}{{/if}}', { a: false }, '1:20: {{x}} is not in'],
  ['a number as a condition', '{{#if x}}{{/if}}', { x: 0 }, `1:7: {{x}} ${noCondition}`],
  ['null as a condition', '{{#if x}}{{/if}}', { x: null }, `1:7: {{x}} ${noCondition}`],
  ['a missing list', '{{#each x}}{{/each}}', {}, '1:9: {{x}} is not in the view'],
  ['text as a list', '{{#each x}}{{/each}}', { x: 'ab' }, '1:9: {{x}} must be a list'],
  ['an object as a list', '{{#each x}}{{/each}}', { x: { a: 1 } }, '1:9: {{x}} must be a list'],
  ['a key of the outer view', '{{#each l}}{{x}}{{/each}}', { x: 1, l: [{}] }, '1:14: {{x}} is not'],
  ['an index outside a list', '{{@index}}', {}, '1:3: {{@index}} is not in the view'],
]

t.test('rendering refuses', async (t) => {
  for (const [sentence, source, view, message] of failing) {
    const render = await compile(source, 'b.toml.hbs')
    t.throws(
      () => render(Object.fromEntries(Object.entries(view))),
      { message: new RegExp(`^${escapeRegExp(`b.toml.hbs:${message}`)}`) },
      sentence,
    )
  }
  t.throws(() => instantiate('text'), { message: 'not a precompiled template' })
})

const rendering: readonly [sentence: string, source: string, view: View, text: string][] = [
  ['a value is a whole literal', 'a = {{x}}', { x: 'b"c' }, 'a = "b\\"c"'],
  ['comments leave nothing', '{{! a }}\n{{!-- {{b}} --}}\nc', {}, 'c'],
  ['two backslashes are one', 'C:\\\\{{x}}', { x: 1 }, 'C:\\1'],
  ['a list counts', '{{#each l}}{{@index}}{{#if @last}}.{{/if}}{{/each}}', { l: [{}, {}] }, '01.'],
  ['an empty list is false', '{{#if l}}a{{else}}b{{/if}}', { l: [] }, 'b'],
  ['an empty list has an else', '{{#each l}}a{{else}}b{{/each}}', { l: [] }, 'b'],
  ['empty text is false', '{{#if x}}a{{/if}}{{^if x}}b{{/if}}', { x: '' }, 'b'],
  ['else chains', '{{#if a}}1{{else if b}}2{{/if}}', { a: false, b: true }, '2'],
  ['keys named as ours are keys', '{{if}}{{__write}}', { if: 1, __write: 2 }, '12'],
  ['keys of any name are read', '{{[a b]}}{{this.c}}', { 'a b': 1, c: 2 }, '12'],
  ['a value is never a template', '{{x}}', { x: '{{y}}' }, '"{{y}}"'],
]

t.test('rendering writes', async (t) => {
  for (const [sentence, source, view, text] of rendering) {
    const render = await compile(source, 'c.toml.hbs')
    t.equal(render(view), text, sentence)
  }
  t.equal(
    precompileTemplate('a = {{x}}', 'c.toml.hbs'),
    precompileTemplate('a = {{x}}', 'c.toml.hbs'),
    'the same template gives the same module',
  )
})

t.test('a recording separates unused keys from read ones', async (t) => {
  const render = await compile('{{a}}{{#each l}}{{b}}{{/each}}{{#if d}}{{e}}{{/if}}', 'd.toml.hbs')
  const view = { a: 1, c: 2, d: false, e: 3, l: [{ b: 4, f: 5 }, { b: 6 }], m: [{ g: 7 }] }
  const { view: watched, unread } = recordReads(view)
  t.equal(render(watched), render(view), 'a recorded view renders alike')
  t.strictSame([...unread()].sort(), ['c', 'e', 'l[].f', 'm', 'm[].g'])
})

// ---- hostile values come back exactly ----

const shortText = hostileText.filter((text) => text.length < 32)
const pieces = fc.constantFrom(...shortText)

/** Any text that a profile may hold, often made of the pieces that break things. */
const anyText = fc.oneof(
  fc.constantFrom(...hostileText),
  fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0')),
)
/** Checks the hostile texts, then any text, and counts as one assertion. */
function holds(t: Test, check: (text: string) => void, numRuns = 2_000): void {
  hostileText.forEach(check)
  fc.assert(fc.property(anyText, check), { numRuns })
  t.pass('for every text')
}

const anyView = fc.record({
  text: anyText,
  flag: fc.boolean(),
  count: fc.maxSafeInteger(),
  items: fc.array(fc.record({ text: anyText }), { maxLength: 3 }),
})
type TestView = typeof anyView extends fc.Arbitrary<infer V> ? V : never

const plain: TestView = { text: 'a', flag: true, count: 1, items: [{ text: 'b' }] }

/** What each of the data files says. */
function told({ text, flag, count, items }: TestView): object {
  return {
    version: 2,
    plugins: { text, flag, count },
    items: items.map((item) => ({ text: item.text, top: text })),
  }
}

function parseYaml(text: string, version: '1.1' | '1.2'): unknown[] {
  return [...parseAllDocuments(text, { version })].map((document) => {
    const problems = [...document.errors, ...document.warnings]
    if (problems.length > 0) throw new Error(problems.join())
    return document.toJS()
  })
}

const readers: readonly [reader: string, template: string, read: (text: string) => unknown][] = [
  ['TOML', 'config.toml.hbs', (text) => parseToml(text)],
  ['YAML 1.1', 'config.yaml.hbs', (text) => parseYaml(text, '1.1')[0]],
  ['YAML 1.2', 'config.yaml.hbs', (text) => parseYaml(text, '1.2')[0]],
  ['JSON', 'config.json.hbs', (text) => JSON.parse(text)],
]

const ascii = /^[\n\x20-\x7e]*$/

for (const [reader, template, read] of readers) {
  t.test(`${reader} gives back every value and no other shape`, async (t) => {
    const render = await fixture(template)
    const check = (view: TestView): void => {
      const text = render(view)
      if (!ascii.test(text)) throw new Error('not ASCII')
      const got = normalize(read(text))
      const want = normalize(told(view))
      if (got !== want) throw new Error(`${got} is not ${want}`)
    }
    holds(t, (text) => check({ ...plain, text, items: [{ text }] }), 200)
    fc.assert(fc.property(anyView, check), { numRuns: 300 })
  })
}

/** As JSON: parsers differ in prototypes and in how they say that a list is empty. */
function normalize(value: unknown): string {
  return JSON.stringify(Object.assign({ version: 0, plugins: {}, items: [] }, value))
}

t.test('truth and numbers are written in the words of the language', async (t) => {
  const rows: readonly [Notation, yes: string, no: string][] = [
    ['toml', 'true', 'false'],
    ['yaml', 'true', 'false'],
    ['json', 'true', 'false'],
    ['powershell', '$true', '$false'],
    ['codeSpan', '`true`', '`false`'],
    ['prose', 'true', 'false'],
    ['shell', 'true', 'false'],
  ]
  t.strictSame(rows.map(([name]) => name).sort(), Object.keys(quotes).sort(), 'every notation')
  for (const [name, yes, no] of rows) {
    t.equal(quotes[name](true), yes)
    t.equal(quotes[name](false), no)
    t.equal(quotes[name](-12), '-12')
  }
  t.notOk(isNotation('toString'))
})

// ---- PowerShell ----

const hasPwsh = spawnSync('pwsh', ['-NoProfile', '-Version']).status === 0

/** Reads a literal by the language's rules: doubled quotes, and joined lists of characters. */
function readPowershell(literal: string): string {
  const list = /^\(-join\((.*)\)\)$/.exec(literal)?.[1] ?? literal
  const parts = list.match(/'(?:[^']|'')*'|\[char\]0x[0-9A-F]{4}|./g) ?? []
  return parts
    .filter((part, index) => part !== ',' || index % 2 === 0)
    .map((part) => {
      if (part.startsWith("'")) return part.slice(1, -1).replaceAll("''", "'")
      if (part.startsWith('[char]')) return String.fromCharCode(Number(part.slice(6)))
      throw new Error(`${part} is no part of a literal`)
    })
    .join('')
}

t.test('PowerShell literals keep their value, by a model of the language', async (t) => {
  const check = (text: string): void => {
    const literal = quotes.powershell(text)
    if (!/^[\x20-\x7e]*$/.test(literal)) throw new Error('not one line of ASCII')
    if (readPowershell(literal) !== text) throw new Error(`${literal} is not ${text}`)
  }
  holds(t, check)
})

const noPwsh = hasPwsh ? false : 'pwsh is not on the PATH'

t.test('PowerShell itself gives back every value', { skip: noPwsh }, async (t) => {
  const texts = [...hostileText, ...fc.sample(anyText, 300)]
  const render = await fixture('script.ps1.hbs')
  const view = { ...plain, text: 'the end', items: texts.map((text) => ({ text })) }
  const folder = t.testdir({ 'script.ps1': render(view) })
  const script = ['-NoProfile', '-NonInteractive', '-File', `${folder}/script.ps1`]
  const run = spawnSync('pwsh', script, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const lines = run.stdout.trimEnd().split('\n')
  t.equal(run.stderr, '')
  t.equal(lines.pop(), 'True 1')
  const back = lines.map((line) => Buffer.from(line, 'base64').toString('utf16le'))
  t.equal(back.length, texts.length + 1)
  t.strictSame(
    back.findIndex((text, index) => text !== [...texts, 'the end'][index]),
    -1,
  )
})

// ---- Markdown ----

/** What is left of a page without its values: how lines start, and the marks that nothing escapes. */
function skeleton(page: string): string {
  // The mark itself is a character that a value may hold.
  const unmarked = page.replaceAll('\u25a1', 'w')
  // What stands in a fence is no markup, as long as it stays there: its lines are counted.
  const unfenced = unmarked.replace(/^```\w*\n(?:(?!```).*\n)*```$/gm, (block) =>
    block.replace(/.+/g, '\u25a1'),
  )
  const bare = unfenced.replace(/`[^`|\n]+`|<code>[^<>`|\n]*<\/code>|\\[!-/:-@[-`{-~]/g, (match) =>
    match.startsWith('\\') ? 'w' : '\u25a1',
  )
  const lines = bare.split('\n').map((line) => {
    const start = /^ *(?:[-+#>|]|\d+[.)]|=+ *$| {4})/.exec(line)?.[0] ?? ''
    return start + line.slice(start.length).replace(/[^\u25a1\\`*_[\]<>|&~$#]/g, '')
  })
  return lines.join('\n')
}

t.test('Markdown keeps its lines, cells and paragraphs', async (t) => {
  const render = await fixture('page.md.hbs')
  const shape = (text: string): string =>
    skeleton(render({ ...plain, text, items: [{ text }, { text: `a${text}` }] }))
  const want = shape('a')
  t.match(want, /^#\u25a1\n\n\u25a1\n\n\n\n\|/, 'the skeleton holds what the page holds')
  const check = (text: string): void => {
    if (shape(text) !== want) throw new Error(`${shape(text)} is not ${want}`)
  }
  check('\u25a1')
  holds(t, check)
})

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u

/** What a reader of the page sees in a code span. */
function readSpan(markup: string): string {
  const inner = /^<code>(.*)<\/code>$/.exec(markup)?.[1]
  if (inner === undefined) return markup.slice(1, -1)
  return inner.replace(/&#x([0-9A-F]+);/g, (_all, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  )
}

t.test('a code span shows its value, and as JSON what a person would not see', async (t) => {
  t.equal(quotes.codeSpan('C:\\k\\a b.txt'), '`C:\\k\\a b.txt`')
  t.equal(quotes.codeSpan('a|b'), '<code>a&#x7C;b</code>')
  t.equal(quotes.codeSpan('a\nb'), '`"a\\nb"`')
  t.equal(quotes.codeSpan('\u202ea'), '`"\\u202Ea"`')
  const check = (text: string): void => {
    const shown = readSpan(quotes.codeSpan(text))
    const value: unknown = hidden.test(text) ? JSON.parse(shown) : shown
    if (value !== text) throw new Error(`${shown} is not ${text}`)
  }
  holds(t, check)
})

t.test('prose is one line of plain words', async (t) => {
  const rows: readonly [text: string, markdown: string][] = [
    [
      'A plain sentence, with 2.3.1 and kube-proxy.',
      'A plain sentence, with 2.3.1 and kube-proxy.',
    ],
    [' a\n b\u2028c ', 'a b c'],
    ['1. a', '1\\. a'],
    ['- a', '\\- a'],
    ['*a* | <b> [c](d)', '\\*a\\* \\| \\<b\\> \\[c\\](d)'],
    ['a\u202eb', 'aU+202Eb'],
  ]
  for (const [text, markdown] of rows) t.equal(quotes.prose(text), markdown)
})

t.test('a shell gives back every word', { skip: process.platform === 'win32' }, async (t) => {
  const texts = [...hostileText, ...fc.sample(anyText, 200)].filter((text) => !hidden.test(text))
  const words = texts.map((text) => quotes.shell(text))
  const script = words.map((word) => `printf '%s\\n' ${word}`).join('\n')
  const { stdout, stderr } = spawnSync('sh', { input: script, encoding: 'utf8' })
  t.equal(stderr, '')
  t.equal(stdout, texts.map((text) => `${text}\n`).join(''))
  t.throws(() => quotes.shell('a\n```'), /no command line shows/)
})

// ---- our own templates ----

/** A document without its values: keys count by their place, since some of them are values. */
function outline(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(outline)
  if (typeof value !== 'object' || value === null) return typeof value
  return { map: Object.values(value).map(outline) }
}

/** A text in PowerShell: in quotes, as the code of a character, or as parts of both kinds that are joined. */
const partInPowerShell = String.raw`(?:'(?:[^']|'')*'|\[char\]0x[0-9A-F]{4})`
const textInPowerShell = new RegExp(
  String.raw`\(-join\(${partInPowerShell}(?:,${partInPowerShell})*\)\)|${partInPowerShell}`,
  'g',
)

/** A script without comments and without the text of its words. */
function shapeOf(script: string): string {
  return script.replace(/^ *#.*$/gm, '').replace(/(?:'[^']*'|\\'|[\w@%+=:,./-])+/g, 'word')
}

const outlines: Readonly<Record<string, (text: string) => unknown>> = {
  '.toml': (text) => outline(parseToml(text)),
  '.yaml': (text) => [outline(parseYaml(text, '1.1')), outline(parseYaml(text, '1.2'))],
  '.json': (text) => outline(JSON.parse(text)),
  '.md': skeleton,
  '.ps1': (text) => text.replaceAll(textInPowerShell, "''"),
  '.txt': (text) => text.replaceAll(textInPowerShell, "''"),
  '.sh': shapeOf,
}

function noReader(): never {
  throw new Error('a language without a reader')
}

const choices = [
  { condition: true, length: 2 },
  { condition: false, length: 2 },
  { condition: true, length: 0 },
] as const

t.test('no value changes the shape of a rendered file', async (t) => {
  const folder = new URL('../../templates/', import.meta.url)
  const names = await readdir(folder, { recursive: true })
  for (const name of names.filter((entry) => entry.endsWith('.hbs')).sort()) {
    const source = await readFile(new URL(name, folder), 'utf8')
    const render = await compile(source, name)
    const read = outlines[extensionOf(outputName(name))] ?? noReader
    const needs = needsOf(source)
    const checked = new Set<string>()
    for (const choice of choices) {
      const plainPage = render(fabricate(needs, { ...choice, text: (n) => `a${n}` }))
      // No condition and no list of the template changes it.
      if (checked.has(plainPage)) continue
      checked.add(plainPage)
      const write = (text: string): string => {
        try {
          return render(fabricate(needs, { ...choice, text: (n) => `${text}${n}` }))
        } catch (error) {
          // A value that cannot stand on a line of a shell is not written at all.
          if (String(error).includes('no command line shows')) return plainPage
          throw error
        }
      }
      const shape = (page: string): string => JSON.stringify(read(page))
      const want = shape(plainPage)
      const broken = shortText.find((text) => {
        const page = write(text)
        return page !== plainPage && shape(page) !== want
      })
      t.equal(broken, undefined, `${name} ${JSON.stringify(choice)}`)
    }
  }
})

// ---- what a bundle is made of ----

const safePaths = ['README.md', 'files/a.b/c', 'cluster/10-a.yaml', 'COM10', 'console', 'a b', '.a']

const unsafePaths: readonly [path: string, problem: RegExp][] = [
  ['', /empty part/],
  ['/a', /absolute/],
  ['a/', /empty part/],
  ['a//b', /empty part/],
  ['//server/share', /absolute/],
  ['..', /leaves its folder/],
  ['a/../b', /leaves its folder/],
  ['./a', /detour/],
  ['a\\b', /backslash/],
  ['\\\\?\\C:\\a', /backslash/],
  ['C:a', /colon/],
  ['C:/a', /colon/],
  ['a:stream', /colon/],
  ['a\nb', /character that Windows refuses/],
  ['a\0', /character that Windows refuses/],
  ['a?', /character that Windows refuses/],
  ['<a>', /character that Windows refuses/],
  ['a.', /dot or a space/],
  ['a /b', /dot or a space/],
  ['...', /dot or a space/],
  ['nul', /device/],
  ['a/CON.txt', /device/],
  ['Com1', /device/],
  ['lpt\u00b9.log', /device/],
  ['aux .txt', /device/],
  ['CONIN$', /device/],
]

t.test('paths of a bundle mean the same everywhere', async (t) => {
  for (const path of safePaths) t.equal(pathProblem(path), undefined, path)
  for (const [path, problem] of unsafePaths) t.match(pathProblem(path), problem, path)
  const clashes: readonly (readonly string[])[] = [
    ['a', 'a'],
    ['a/b', 'A/b'],
    ['a/b', 'a/B'],
    ['a/b', 'A/c'],
    ['a', 'a/b'],
    ['a/b', 'a'],
    ['\u00e9', 'E\u0301'],
  ]
  for (const paths of clashes) {
    t.throws(() => checkBundlePaths(paths), { message: /is taken by/ }, paths.join(', '))
  }
  t.doesNotThrow(() => checkBundlePaths(['a/b', 'a/c', 'ab', 'b/a']))
  t.throws(() => checkBundlePaths(['a', 'b/../c']), { message: /^"b\/\.\.\/c" leaves/ })
})

t.test('JSON text is ASCII, and keeps the value', async (t) => {
  t.equal(
    jsonText({ b: [], a: {}, é: 'ö' }),
    '{\n  "b": [],\n  "a": {},\n  "\\u00E9": "\\u00F6"\n}',
  )
  t.throws(() => jsonText({ a: [NaN] }), { message: 'NaN is no JSON number' })
  t.throws(() => jsonText(['a\ud800']), { message: /lone surrogate/ })
  t.throws(() => jsonText({ '\udc00': 1 }), { message: /lone surrogate/ })
  t.throws(() => jsonText({ a: '\0' }), { message: /NUL/ })
  const check = (value: Readonly<Record<string, string>>): void => {
    const text = jsonText(value)
    if (!ascii.test(text)) throw new Error('not ASCII')
    // Windows PowerShell takes `"\/Date(0)\/"` for a date; no slash is ever escaped.
    if (/(?<!\\)(?:\\\\)*\\\//.test(text)) throw new Error('an escaped slash')
    if (text !== jsonText(JSON.parse(text))) throw new Error(`${text} is something else`)
    if (JSON.stringify(JSON.parse(text)) !== JSON.stringify(value)) throw new Error(text)
  }
  holds(t, (text) => check({ [text]: text }), 200)
  fc.assert(fc.property(fc.dictionary(anyText, anyText), check), { numRuns: 500 })
})

const template: PlannedFile = {
  id: 'config',
  path: 'files/config.toml',
  summary: 'A template.',
  body: { kind: 'template', template: 'config.toml.hbs', view: { ...plain, items: [] } },
}
const base: PlannedFile = {
  id: 'base',
  path: 'files/Base.json',
  summary: 'A document.',
  body: { kind: 'json', value: { z: [], a: 1 } },
}
const note: PlannedFile = {
  id: 'note',
  path: 'note.txt',
  summary: 'A text.',
  body: { kind: 'text', text: 'a\r\n\n' },
}
const certificate: PlannedFile = {
  id: 'certificate',
  path: 'ca.crt',
  summary: 'A text without an end.',
  body: { kind: 'text', text: 'PEM' },
}
const code: PlannedFile = {
  id: 'module',
  path: 'WinNode.psm1',
  summary: 'A copy.',
  body: { kind: 'static', source: 'node/WinNode.psm1' },
}

const stepBase = { phase: 'image', after: [], restart: 'never' } as const
const steps: readonly DraftStep[] = [
  { ...stepBase, id: 'containers', kind: 'windowsFeature', name: 'Containers' },
  { ...stepBase, id: 'config', kind: 'file', path: 'C:\\k\\a', source: 'files/config.toml' },
  {
    ...stepBase,
    id: 'base',
    kind: 'derivedFile',
    path: 'C:\\k\\b',
    source: 'files/Base.json',
    derive: [{ pointer: '/a', value: [{ text: '', fact: 'nodeIP' }] }],
  },
]

const plan: Plan = {
  name: 'pool',
  decisions: [],
  files: [template, base, note, certificate, code],
  facts: [
    { name: 'nodeName', override: 'n1' },
    { name: 'podSubnet', with: { Network: 'vxlan0', network: 'x' } },
  ],
  preflight: [
    {
      id: 'disk',
      kind: 'freeDisk',
      phases: ['any'],
      verdict: 'fail',
      with: { drive: 'C', gib: 20 },
    },
  ],
  health: [],
  publishStatus: false,
  podLogs: [],
  steps,
  bill: [
    {
      id: 'kubelet',
      kind: 'download',
      name: 'kubelet',
      version: '1.30.0',
      url: 'https://example.com/kubelet.exe',
      digest: undefined,
      digestFrom: 'https://example.com/kubelet.exe.sha256',
      licence: 'Apache-2.0',
      neededBy: ['kubelet'],
    },
  ],
}

const raw = new Uint8Array([0xef, 0xbb, 0xbf, 0x0d, 0x0a, 0xff])
const readStatic = (source: string): Uint8Array => {
  if (source === 'node/WinNode.psm1') return raw
  throw new Error(source)
}

function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex')
}

t.test('nodeDigest changes with what counts on a node', async (t) => {
  const digestOf = async (changed: Partial<Plan>, content = raw) => {
    const files = await renderFiles({ ...plan, ...changed }, () => content, fixture)
    const node = files.find(({ path }) => path === 'node.json')
    return (JSON.parse(Buffer.from(node?.content ?? []).toString()) as { nodeDigest: string })
      .nodeDigest
  }
  const now = await digestOf({})
  t.match(now, /^[0-9a-f]{64}$/)
  const withNote = (text: string) => [
    template,
    base,
    { ...note, body: { kind: 'text', text } as const },
  ]
  const [bill] = plan.bill
  const unchanged: Readonly<Record<string, Partial<Plan>>> = {
    'the name': { name: 'other' },
    'a file for people': { files: [...withNote('other words'), certificate, code] },
    'a file less': { files: [template, base, certificate, code] },
    licences: { bill: bill ? [{ ...bill, licence: 'MIT' }] : [] },
  }
  for (const [what, changed] of Object.entries(unchanged))
    t.equal(await digestOf(changed), now, what)
  const changed: Readonly<Record<string, Partial<Plan>>> = {
    facts: { facts: [] },
    'checks before the first change': { preflight: [] },
    'health checks': { health: [{ id: 'disk', kind: 'disk', with: {} }] },
    'published status': { publishStatus: true },
    steps: { steps: steps.slice(1) },
    'the content of a file on the node': {
      files: [
        { ...template, body: { kind: 'text', text: 'other' } },
        base,
        note,
        certificate,
        code,
      ],
    },
  }
  for (const [what, other] of Object.entries(changed)) t.not(await digestOf(other), now, what)
  t.not(await digestOf({}, new Uint8Array([0x20])), now, 'a module')
})

t.test('a plan becomes a bundle', async (t) => {
  const files = await renderFiles(plan, readStatic, fixture)
  const texts = new Map(files.map(({ path, content }) => [path, Buffer.from(content).toString()]))
  t.strictSame(
    files.map(({ path }) => path),
    [
      'WinNode.psm1',
      'bom.json',
      'ca.crt',
      'files/Base.json',
      'files/config.toml',
      'node.json',
      'note.txt',
    ],
    'by code unit',
  )
  t.match(texts.get('files/config.toml'), /^version = 2\n[^]*[^\n]\n$/, 'one final newline')
  t.equal(texts.get('files/Base.json'), '{\n  "z": [],\n  "a": 1\n}\n')
  t.equal(texts.get('note.txt'), 'a\r\n\n', 'text stays as it is')
  t.equal(texts.get('ca.crt'), 'PEM\n', 'but for a missing end')
  t.strictSame(files[0]?.content, raw, 'a copy is a copy')
  t.strictSame(JSON.parse(texts.get('bom.json') ?? ''), {
    apiVersion: 'winnode/v1',
    kind: 'BillOfMaterials',
    name: 'pool',
    components: [JSON.parse(JSON.stringify(plan.bill[0]))],
    scripts: [{ path: 'WinNode.psm1', sha256: sha256(files[0]?.content ?? '') }],
  })
  const digests = new Map(files.map(({ path, content }) => [path, sha256(content)]))
  const node = texts.get('node.json') ?? ''
  const unsealed = node.replace(/(?<="sha256": ")\w+/, '0'.repeat(64))
  t.strictSame(JSON.parse(node), {
    apiVersion: 'winnode/v1',
    kind: 'NodeDocument',
    sha256: sha256(unsealed),
    name: 'pool',
    nodeDigest: /(?<="nodeDigest": ")\w+/.exec(node)?.[0],
    paths: { log: 'C:\\var\\log\\winnode', state: 'C:\\ProgramData\\winnode' },
    facts: [
      { name: 'nodeName', override: 'n1' },
      {
        name: 'podSubnet',
        with: [
          { name: 'Network', value: 'vxlan0' },
          { name: 'network', value: 'x' },
        ],
      },
    ],
    preflight: [
      {
        id: 'disk',
        kind: 'freeDisk',
        phases: ['any'],
        verdict: 'fail',
        with: [
          { name: 'drive', value: 'C' },
          { name: 'gib', value: 20 },
        ],
      },
    ],
    health: [],
    steps: [
      steps[0],
      { ...steps[1], sha256: digests.get('files/config.toml') },
      { ...steps[2], sha256: digests.get('files/Base.json') },
    ],
    files: [
      'WinNode.psm1',
      'bom.json',
      'ca.crt',
      'files/Base.json',
      'files/config.toml',
      'note.txt',
    ].map((path) => ({ path, sha256: digests.get(path) })),
  })
  t.strictSame(await renderFiles(plan, readStatic, fixture), files, 'the same bytes again')
})

t.test('a template is loaded once, and by its name', async (t) => {
  const name = 'crictl/crictl.yaml.hbs'
  t.equal(loadTemplate(name), loadTemplate(name))
  t.match((await loadTemplate(name))({ endpoint: 'npipe:////./pipe/x' }), /pipe/)
  await t.rejects(loadTemplate('b.toml.hbs'), { message: 'there is no template b.toml.hbs' })
  await t.rejects(loadTemplate('toString'), { message: 'there is no template toString' })
})

t.test('a plan that contradicts itself is our bug, and says so', async (t) => {
  const rows: readonly [sentence: string, change: Partial<Plan>, message: RegExp][] = [
    [
      'a template of another language',
      { files: [{ ...template, path: 'files/config.yaml' }] },
      /^files\/config\.yaml is not of the language of config\.toml\.hbs$/,
    ],
    ['a path twice', { files: [...plan.files, { ...note, path: 'NOTE.TXT' }] }, /is taken by note/],
    ['our own name', { files: [...plan.files, { ...note, path: 'Node.json' }] }, /is taken by/],
    ['a path that leads out', { files: [...plan.files, { ...note, path: '../a' }] }, /leaves/],
    [
      'a step without its file',
      { files: [template], steps },
      /^step base: no file files\/Base\.json/,
    ],
    ['half a pair', { files: [{ ...note, body: { kind: 'text', text: '\ud800' } }] }, /lone/],
  ]
  for (const [sentence, change, message] of rows) {
    const promise = renderFiles({ ...plan, steps: [], ...change }, readStatic, fixture)
    await t.rejects(
      promise.then((files) => files.map(({ content }) => content)),
      { message },
      sentence,
    )
  }
})
