import { execFileSync } from 'node:child_process'
// The room `io`: what files may hold, and which layers they make.
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix, win32 } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { withPlaces } from '../../src/io/finding-places.ts'
import { loadProfile } from '../../src/io/profiles.ts'
import type { LoadedProfile, ProfileRequest } from '../../src/io/profiles.ts'
import { builtinNames, listProfiles } from '../../src/io/profiles/builtins.ts'
import { save, saveAll } from '../../src/io/profiles/save.ts'
import { isWithinFolder } from '../../src/io/real-path.ts'
import { below, beside } from '../../src/io/native-path.ts'
import { readSource } from '../../src/io/source.ts'
import type { Finding } from '../../src/model/finding.ts'
import type { Json } from '../../src/model/json.ts'
import { nearest } from '../../src/text/nearest.ts'
import type { Path } from '../../src/model/path.ts'
import { mergeLayers } from '../../src/profile/merge.ts'
import { digestOf } from '../../src/render/digest.ts'
import { failing } from './disks.ts'

const brief = ({ id, place }: Finding) => `${place?.line}:${place?.column} ${id}`
const utf8 = (text: string) => new TextEncoder().encode(text)
const read = (content: string | Uint8Array) =>
  readSource(typeof content === 'string' ? utf8(content) : content, 'p.yaml')

t.test('every text is read, or refused with a place', async (t) => {
  const ten = (name: string, of: string) => `${name}: &${name} [${Array(10).fill(of).join(', ')}]\n`
  const bomb = ten('a', 'x') + ten('b', '*a') + ten('c', '*b') + ten('d', '*c') + ten('e', '*d')
  const utf16 = Buffer.from('a: 1\nb: 2\n', 'utf16le')
  const marked = Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])
  const wide = (bytes: readonly number[]) => Uint8Array.from([...bytes, 0x61, 0x3a])
  const deeper = Array.from({ length: 1000 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('')
  const none = null
  const rows: readonly [name: string, text: string | Uint8Array, value: unknown, said: string[]][] =
    [
      ['plain text', 'a: 1\nb: [x, {y: true}]\n', { a: 1, b: ['x', { y: true }] }, []],
      ['JSON', '{"a": {"b": null}}', { a: { b: null } }, []],
      ['a byte order mark', '\ufeffa: 1', { a: 1 }, []],
      ['Windows line ends', 'a: 1\r\nb: 2\r\n', { a: 1, b: 2 }, []],
      [
        'dates and YAML 1.1 booleans',
        'a: 2024-01-01\nb: yes\nc: off',
        { a: '2024-01-01', b: 'yes', c: 'off' },
        [],
      ],
      [
        'numbers',
        'a: -0\nb: 0o17\nc: 0x1F\nd: 1e3\ne: 0777',
        { a: 0, b: 15, c: 31, d: 1000, e: 777 },
        [],
      ],
      ['standard tags', 'a: !!str 1.36', { a: '1.36' }, []],
      ['anchors', 'a: &x [1]\nb: *x', { a: [1], b: [1] }, []],
      ['escaped controls', 'a: "\\u001b[0m"', { a: '\u001b[0m' }, []],
      ['a pair of surrogates', 'a: "\\ud83d\\ude00"', { a: '😀' }, []],
      ['emoji as they are', 'a: 😀 \u202e', { a: '😀 \u202e' }, []],
      ['an open list', 'a: [1\nb: 2\n', none, ['2:1 yaml-syntax']],
      ['a reserved character', 'a: @x', none, ['1:4 yaml-syntax']],
      ['an open quote', 'a: "x\nb: 1\n', none, ['3:1 yaml-syntax']],
      ['one error for each line', 'a: "x" y z\nb: 1\n', none, ['1:8 yaml-syntax']],
      ['a tab', 'a:\n\tb: 1\n', none, ['2:1 tab-indentation']],
      ['two keys on a line', 'a: b: c', none, ['1:4 colon-in-value']],
      ['a key indented too far', 'a:\n  b: c d\n   e: 1', none, ['3:4 key-indented-too-far']],
      ['two documents', 'a: 1\n---\nb: 1', none, ['2:1 many-documents']],
      ['a directive', '%YAML 1.1\n---\na: yes', { a: 'yes' }, ['1:1 unsupported-directive']],
      ['a percent sign before a value', 'a: %x', none, ['1:4 yaml-syntax']],
      ['an open list above a second document', 'a: [\n---\nb: 1', none, ['2:1 yaml-syntax']],
      [
        'two keys on a line above a second document',
        'a: b: c\n---\nb: 1',
        none,
        ['1:4 colon-in-value'],
      ],
      [
        'duplicate keys',
        'a: 1\nb: 2\na: 3\nb: 4',
        { a: 1, b: 2 },
        ['3:1 duplicate-key', '4:1 duplicate-key'],
      ],
      [
        'keys of prototypes',
        '__proto__: {a: 1}\nb:\n  constructor: 1\n  prototype: 2',
        { b: {} },
        ['1:1 forbidden-key', '3:3 forbidden-key', '4:3 forbidden-key'],
      ],
      [
        'keys that are no text',
        '1: a\n? [x]\n: 2\n? {y: 1}\n: 3\ntrue: c\n? \n: 4',
        {},
        [
          '1:1 key-not-text',
          '2:3 key-not-text',
          '4:3 key-not-text',
          '6:1 key-not-text',
          '7:3 key-not-text',
        ],
      ],
      ['an alias as a key', 'a: &a x\n*a : 1', { a: 'x' }, ['2:1 key-not-text']],
      ['a key with a NUL', '"a\\0": 1', {}, ['1:1 null-character']],
      [
        'a merge key',
        'a: &a {x: 1}\nb:\n  <<: *a\n  "<<": 1',
        { a: { x: 1 }, b: { '<<': 1 } },
        ['3:3 merge-key'],
      ],
      [
        'foreign tags',
        'a: !!binary aGk=\nb: !!js/function x\nc: !foo {d: 1}',
        { a: 'aGk=', b: 'x', c: { d: 1 } },
        ['1:4 unsupported-tag', '2:4 unsupported-tag', '3:4 unsupported-tag'],
      ],
      ['an alias bomb', bomb, undefined, ['4:36 alias-limit']],
      [
        'an unknown alias',
        'a: *b\nc: &c [*c]',
        { a: null, c: [null] },
        ['1:4 unknown-anchor', '2:8 unknown-anchor'],
      ],
      [
        'numbers out of range',
        'a: 12345678901234567890\nb: .inf\nc: .nan\nd: 1e400',
        { a: 0, b: 0, c: 0, d: 0 },
        [
          '1:4 number-out-of-range',
          '2:4 number-out-of-range',
          '3:4 number-out-of-range',
          '4:4 number-out-of-range',
        ],
      ],
      ['an escaped NUL', 'a: "x\\0"', { a: 'x\ufffd' }, ['1:4 null-character']],
      [
        'NULs as they are',
        'abc: defgh\0\nb: ijkl\0\n',
        { abc: 'defgh\ufffd', b: 'ijkl\ufffd' },
        ['1:11 null-character'],
      ],
      ['an escaped surrogate', 'a: "\\ud800"', { a: '\ufffd' }, ['1:4 lone-surrogate']],
      [
        'terminal escapes',
        'a: \u001b[31m\nb: \u009b1m\n# \u007f',
        { a: '\ufffd[31m', b: '\ufffd1m' },
        ['1:4 control-character', '2:4 control-character', '3:3 control-character'],
      ],
      ['line ends of an old Mac', 'a: 1\r\r', { a: '1\ufffd\ufffd' }, ['1:5 control-character']],
      ['Latin-1', Buffer.from('a: 1\nb: caf\xe9\n', 'latin1'), none, ['2:7 not-utf8']],
      ['half a character', utf8('a: é').slice(0, 4), none, ['1:4 not-utf8']],
      ['UTF-16 with a mark', marked, none, ['1:1 not-utf8']],
      ['UTF-16 the other way', Buffer.from(marked).swap16(), none, ['1:1 not-utf8']],
      ['UTF-16 without a mark', utf16, none, ['1:1 not-utf8']],
      ['UTF-16 without, the other way', Buffer.from(utf16).swap16(), none, ['1:1 not-utf8']],
      ['UTF-32', wide([0xff, 0xfe, 0, 0]), none, ['1:1 not-utf8']],
      ['20,000 brackets', `a: ${'['.repeat(20_000)}`, none, ['1:67 too-deep']],
      ['20,000 braces', '{a: '.repeat(20_000), none, ['1:257 too-deep']],
      ['20,000 dashes', '- '.repeat(20_000), none, ['1:129 too-deep']],
      ['1,000 lines, each deeper', deeper, none, ['65:66 too-deep']],
      ['64 dashes below a key', `a:\n${'- '.repeat(64)}x`, undefined, ['2:127 too-deep']],
      ['a million brackets', ']'.repeat(1_000_000), none, ['1:100000 too-large']],
      ['a million dashes', '- '.repeat(500_000), none, ['1:129 too-deep']],
      ['a million line ends', '\n'.repeat(1_000_000), none, ['100001:1 too-large']],
      ['a million bad escapes', `a: "${'\\x'.repeat(400_000)}"`, none, ['1:5 yaml-syntax']],
      ['more than 1 MiB', 'x'.repeat(1024 * 1024 + 1), none, ['1:1 too-large']],
      ['nothing', '', none, ['1:1 empty-file']],
      ['a comment', '# a\n', none, ['1:1 empty-file']],
      ['a list', '\n- a\n', none, ['2:1 not-a-map']],
      ['a word', 'hello', none, ['1:1 not-a-map']],
      ['null', '~', none, ['1:1 not-a-map']],
    ]
  for (const [name, text, value, said] of rows) {
    const { layer, findings } = read(text)
    t.strictSame(findings.map(brief), said, name)
    if (value === null) t.equal(layer, undefined, `${name}: no layer`)
    else if (value !== undefined) t.strictSame(layer?.patch, value, `${name}: its values`)
  }
})

t.test('findings of a file are few and short', async (t) => {
  const { findings } = read('- *a\n'.repeat(1000) + 'x: 1')
  t.ok(findings.length <= 101)
  const many = read(Array.from({ length: 150 }, (_, i) => `a${i}: *b\n`).join('')).findings
  t.equal(many.length, 101)
  t.match(many.at(-1), {
    id: 'more-findings',
    message: '50 more findings of this file are not shown',
  })
  const [long] = read(`a: !!${'x'.repeat(5000)} 1`).findings
  t.ok((long?.message.length ?? 0) < 300)
  const messages: readonly [string, string][] = [
    ['a: [1]]', 'not YAML: unexpected ] here'],
    ['a: "x" y', 'not YAML: unexpected text after a value'],
    ['a: - x', 'not YAML: unexpected - on same line with key'],
    ['a: [1', 'not YAML: no ] ends it, or a line of it is not indented'],
    ['a: @x', 'not YAML: a value that starts with @ needs quotes'],
    ['a: 1\n- x', 'not YAML: a key needs a colon on its line'],
    ['a: >x', 'not YAML: only a digit, + or - may follow >'],
    ['a: |-\tx', 'not YAML: unexpected text'],
    ["a: 'x", 'not YAML: missing closing quote'],
    ['a: 1\nb: 1\na: 2', 'duplicate key a, first on line 1'],
    ['- 1', 'a profile is a map of settings, not a list'],
    ['~', 'a profile is a map of settings, not nothing'],
    ['12', 'a profile is a map of settings, not a single number'],
  ]
  for (const [text, message] of messages) t.equal(read(text).findings[0]?.message, message, text)
})

t.test('nothing that a file holds makes reading fail', async (t) => {
  const parserName = /-(?:ind|start|end|line|header|scalar)\b|\b(?:flow|implicit|token|node)\b/
  const parts = [
    'a',
    ': ',
    '- ',
    '? ',
    '[',
    ']',
    '{',
    '}',
    ',',
    '"',
    "'",
    '\n',
    '  ',
    '\t',
    '&a ',
    '*a',
    '!!',
    '|',
    '>',
    '#',
    '%',
    '---',
    '...',
    '\\u',
    '\0',
    '\ud800',
    '<<',
    '1e9',
    '\r',
    '\ufeff',
    '@',
    '😀',
  ]
  const texts = fc.array(fc.constantFrom(...parts), { maxLength: 60 }).map((all) => all.join(''))
  const bytes = fc.uint8Array({ maxLength: 80 })
  const check = (content: string | Uint8Array) => {
    const { layer, findings } = read(content)
    const placed = findings.every(({ place }) => place && place.line >= 1 && place.column >= 1)
    const plain = findings.every(({ message }) => !parserName.test(message))
    return placed && plain && (layer !== undefined || findings.length > 0)
  }
  fc.assert(fc.property(texts, check), { numRuns: 3000 })
  fc.assert(fc.property(bytes, check), { numRuns: 1000 })
  t.pass('4000 texts')
})

t.test('a layer has the place of each path, or of the nearest around it', async (t) => {
  const { layer } = read(
    'a: 1\nb:\n  c: [x, {y: 22}]\n  d:\n   - 1\ne:\nf: &f {g: 1}\nh: *f\n"i j": |\n  text\n',
  )
  const rows: readonly [path: Path, at: 'key' | 'value', place: string][] = [
    [[], 'value', '1:1+1'],
    [['a'], 'value', '1:4+1'],
    [['a'], 'key', '1:1+1'],
    [['b'], 'value', '2:1+1'],
    [['b', 'c'], 'value', '3:6+12'],
    [['b', 'c', 0], 'key', '3:7+1'],
    [['b', 'c', 1, 'y'], 'key', '3:11+1'],
    [['b', 'c', 1, 'y'], 'value', '3:14+2'],
    [['b', 'c', 1, 'z'], 'value', '3:10+7'],
    [['b', 'c', 9], 'value', '3:3+1'],
    [['b', 'd', 0], 'value', '5:6+1'],
    [['e'], 'value', '6:1+1'],
    [['e', 'x', 'y'], 'value', '6:1+1'],
    [['h'], 'value', '8:4+2'],
    [['h', 'g'], 'value', '8:1+1'],
    [['i j'], 'key', '9:1+5'],
    [['i j'], 'value', '9:8+1'],
    [['nowhere'], 'value', '1:1+1'],
  ]
  for (const [path, at, wanted] of rows) {
    const place = layer?.place(path, at)
    t.equal(`${place?.line}:${place?.column}+${place?.length}`, wanted, `${path.join('/')} ${at}`)
  }
  t.strictSame(
    layer?.place(['nowhere']),
    { file: 'p.yaml', line: 1, column: 1, length: 1 },
    'no excerpt',
  )
  const ours = read('apiVersion: winnode/v1\nb:\n  c: [x, {y: 22}]\n').layer
  t.match(ours?.place(['b', 'c']), { file: 'p.yaml', line: 3, excerpt: '  c: [x, {y: 22}]' })
})

const head = 'apiVersion: winnode/v1\nkind: NodeProfile\n'

/** A package with built-in profiles, and the folder of a user. */
function profileFolders(t: Test) {
  return t.testdir({
    root: {
      profiles: {
        'base.yaml': `${head}name: base\nsummary: Our recommendations.\nkubelet: {maxPods: 110}\n`,
        'ws2022.yaml': `${head}extends: base\nsummary: Windows Server 2022.\nwindows: {release: ws2022}\n`,
        'notes.txt': 'not a profile',
      },
    },
    'outside.yaml': head,
    own: {
      '.winnode-root': '',
      'site.yaml': `${head}extends: ws2022\nkubelet: {maxPods: 50}\n`,
      'My Site.yml': `${head}extends: ./deep/middle.yaml\n`,
      'ws2022-node.yaml': `${head}extends: base\n`,
      'ring.yaml': `${head}extends: ./deep/ring.yaml\n`,
      'self.yaml': `${head}extends: self.yaml\n`,
      'lost.yaml': `${head}extends: ws202\n`,
      'lost-path.yaml': `${head}extends: ./sitte.yaml\n`,
      'word.yaml': `${head}extends: site\n`,
      'list.yaml': `${head}extends: [a, b]\n`,
      'number.yaml': `${head}extends: 7\n`,
      'none.yaml': `${head}extends:\n`,
      'map.yaml': `${head}extends: {a: 1}\n`,
      'leaves.yaml': `${head}extends: ../outside.yaml\n`,
      'leaves-unseen.yaml': `${head}extends: ../../nowhere.yaml\n`,
      'absolute.yaml': `${head}extends: /etc/passwd.yaml\n`,
      'backslash.yaml': `${head}extends: ..\\outside.yaml\n`,
      'by-link.yaml': `${head}extends: ./link.yaml\n`,
      'link.yaml': t.fixture('symlink', '../outside.yaml'),
      'to-folder.yaml': `${head}extends: ./folder.yaml\n`,
      'folder.yaml': {},
      'to-broken.yaml': `${head}extends: ./broken.yaml\n`,
      'broken.yaml': 'a: [\n',
      'headless.yaml': 'extends: base\n',
      'other.yaml': 'apiVersion: winnode/v9\nkind: [x]\n',
      'no-version.yaml': 'apiVersion:\nkind: NodeProfile\n',
      'empty-kind.yaml': 'apiVersion: winnode/v1\nkind: ""\n',
      'kinds.yaml': 'apiVersion: winnode/v1\nkind: [x]\n',
      'layer.yaml': `${head}name: layered\nkubelet: {maxPods: 60}\n`,
      'extending.yaml': `${head}extends: base\n`,
      'nul.yaml': `${head}extends: "./a\\0b.yaml"\n`,
      deep: {
        'middle.yaml': `${head}extends: ../site.yaml\nname: middle\nhost: {powerPlan: false}\n`,
        'ring.yaml': `${head}extends: ../ring.yaml\n`,
        'test.layer.yaml': head,
      },
      long: Object.fromEntries(
        Array.from({ length: 20 }, (_, i) => [`p${i}.yaml`, `${head}extends: ./p${i + 1}.yaml\n`]),
      ),
    },
  })
}

t.test('a base beside the pools is extended within the root folder', (t) => {
  const folder = t.testdir({
    'outside.yaml': head,
    unmarked: {
      '.winnode-root': '',
      repository: {
        '.git': 'gitdir: elsewhere',
        base: { 'site.yaml': `${head}extends: base\n` },
        'link.yaml': t.fixture('symlink', '../../outside.yaml'),
        prod: {
          'web.yaml': `${head}extends: ../base/site.yaml\n`,
          'far.yaml': `${head}extends: ../../../outside.yaml\n`,
          'link.yaml': `${head}extends: ../link.yaml\n`,
          own: { '.winnode-root': '', 'web.yaml': `${head}extends: ../../base/site.yaml\n` },
        },
      },
    },
  })
  const cwd = join(folder, 'unmarked/repository/prod')
  const root = join(import.meta.dirname, '../..')
  const rows: readonly [profile: string, within: string | undefined, parent: string][] = [
    ['web.yaml', undefined, '../base/site.yaml'],
    ['./web.yaml', undefined, '../base/site.yaml'],
    ['web.yaml', '..', '../base/site.yaml'],
    ['web.yaml', '.', 'extends-leaves-folder'],
    ['far.yaml', undefined, 'extends-leaves-folder'],
    ['far.yaml', '../../..', '../../../outside.yaml'],
    ['link.yaml', undefined, 'extends-leaves-folder'],
    ['own/web.yaml', undefined, 'extends-leaves-folder'],
    ['own/web.yaml', '..', '../base/site.yaml'],
  ]
  for (const [profile, within, parent] of rows) {
    const { layers, findings } = loadProfile({ profile, within, cwd, root })
    t.equal(findings[0]?.id ?? layers.at(-2)?.name, parent, `${profile} within ${within ?? ''}`)
    if (findings[0]) t.match(findings[0].remedy, '--root DIR')
  }
  t.end()
})

t.test('a profile is the chain of what it extends', async (t) => {
  const folder = profileFolders(t)
  const place = { root: join(folder, 'root'), cwd: join(folder, 'own') }
  const load = (profile: string, more: Partial<ProfileRequest> = {}) =>
    loadProfile({ profile, ...place, ...more })
  const names = ({ layers }: LoadedProfile) => layers.map((layer) => layer.name)

  t.test('from weak to strong', async (t) => {
    const loaded = load('./My Site.yml', {
      layers: ['layer.yaml'],
      sets: ['kubelet.maxPods=7', 'a=b'],
    })
    t.strictSame(names(loaded), [
      'built-in base',
      'built-in ws2022',
      './site.yaml',
      './deep/middle.yaml',
      './My Site.yml',
      'layer.yaml',
      '--set kubelet.maxPods',
      '--set a',
    ])
    t.strictSame(loaded.findings, [])
    t.strictSame(loaded.missing, [])
    t.equal(loaded.complete, true)
    t.strictSame(mergeLayers(loaded.layers).document, {
      name: 'layered',
      kubelet: { maxPods: 7 },
      windows: { release: 'ws2022' },
      host: { powerPlan: false },
      a: 'b',
    })
  })

  t.test('the name comes from the profile, a layer, or the file', async (t) => {
    const rows: readonly [profile: string, more: Partial<ProfileRequest>, name: string][] = [
      ['base', {}, 'base'],
      ['ws2022', {}, 'ws2022'],
      ['./My Site.yml', {}, 'my-site'],
      ['deep/middle.yaml', {}, 'middle'],
      // At most 63 characters, and no dash at the end.
      [`${'a'.repeat(62)}-b.yaml`, {}, 'a'.repeat(62)],
      ['site.yaml', { layers: ['layer.yaml'] }, 'layered'],
      ['site.yaml', { layers: ['layer.yaml'], sets: ['name=x'] }, 'x'],
      ['site.yaml', { sets: ['name=7'] }, 'site'],
    ]
    for (const [profile, more, name] of rows) t.equal(load(profile, more).name, name, profile)
  })

  t.test('what is wrong with it has a place', async (t) => {
    const rows: readonly [profile: string, said: string, message: string, complete: boolean][] = [
      [
        'ring.yaml',
        '3:10 extends-circle',
        'profiles extend each other in a circle: ring.yaml > deep/ring.yaml > ring.yaml',
        false,
      ],
      [
        'self.yaml',
        '3:10 extends-circle',
        'profiles extend each other in a circle: self.yaml > self.yaml',
        false,
      ],
      ['lost.yaml', '3:10 extends-unknown', 'ws202: no such profile', false],
      ['lost-path.yaml', '3:10 extends-unknown', './sitte.yaml: no such profile', false],
      ['word.yaml', '3:10 extends-unknown', 'site: no such profile', false],
      ['list.yaml', '3:10 extends-not-text', 'extends names one profile; this is a list', false],
      [
        'number.yaml',
        '3:10 extends-not-text',
        'extends names one profile; this is the number 7',
        false,
      ],
      ['none.yaml', '3:1 extends-not-text', 'extends names one profile; this is nothing', false],
      ['map.yaml', '3:10 extends-not-text', 'extends names one profile; this is a map', false],
      [
        'leaves.yaml',
        '3:10 extends-leaves-folder',
        '../outside.yaml is outside of the root folder',
        false,
      ],
      [
        'leaves-unseen.yaml',
        '3:10 extends-leaves-folder',
        '../../nowhere.yaml is outside of the root folder',
        false,
      ],
      [
        'by-link.yaml',
        '3:10 extends-leaves-folder',
        './link.yaml is outside of the root folder',
        false,
      ],
      [
        'absolute.yaml',
        '3:10 extends-not-relative',
        '/etc/passwd.yaml is neither a built-in profile nor a relative path to a YAML file',
        false,
      ],
      [
        'backslash.yaml',
        '3:10 extends-not-relative',
        '..\\outside.yaml is neither a built-in profile nor a relative path to a YAML file',
        false,
      ],
      [
        'to-folder.yaml',
        '3:10 extends-unreadable',
        'the extended profile cannot be read: folder.yaml: it is a folder',
        false,
      ],
      ['to-broken.yaml', '2:1 yaml-syntax', '', false],
      [
        'headless.yaml',
        '1:1 header-missing',
        'apiVersion: winnode/v1 and kind: NodeProfile are missing',
        true,
      ],
      ['other.yaml', '1:13 header-wrong', 'apiVersion is "winnode/v9", expected winnode/v1', true],
      ['no-version.yaml', '1:1 header-wrong', 'apiVersion is empty, expected winnode/v1', true],
      ['empty-kind.yaml', '2:7 header-wrong', 'kind is empty, expected NodeProfile', true],
      ['kinds.yaml', '2:7 header-wrong', 'kind is a list, expected NodeProfile', true],
      ['long/p0.yaml', '3:10 extends-too-long', 'more than 16 profiles extend each other', false],
      ['long/p3.yaml', '3:10 extends-too-long', '', false],
      ['long/p4.yaml', '3:10 extends-unknown', '', false],
      ['nul.yaml', '3:10 null-character', 'a NUL character is not allowed', false],
    ]
    for (const [profile, said, message, complete] of rows) {
      const loaded = load(profile)
      const [first] = loaded.findings
      t.equal(first && brief(first), said, profile)
      if (message !== '') t.equal(first?.message, message, `${profile}: its message`)
      t.equal(loaded.complete, complete, `${profile}: ${complete ? 'complete' : 'incomplete'}`)
    }
    t.strictSame(load('other.yaml').findings.map(brief), ['1:13 header-wrong', '2:7 header-wrong'])
    const remedies = ['lost.yaml', 'lost-path.yaml', 'word.yaml', 'empty-kind.yaml'].map(
      (file) => load(file).findings[0]?.remedy,
    )
    t.strictSame(remedies, [
      'Did you mean ws2022?',
      'Did you mean ./site.yaml?',
      'Did you mean ./site.yaml?',
      'Write kind: NodeProfile.',
    ])
  })

  t.test(
    'an unreadable file, a pipe and a link to itself',
    { skip: process.platform === 'win32' },
    async (t) => {
      const loop = join(place.cwd, 'loop.yaml')
      symlinkSync('loop.yaml', loop)
      t.match(load('loop.yaml').findings, [
        { id: 'unreadable', message: 'the file cannot be read: its links lead in a circle' },
      ])
      const notRegular = { id: 'unreadable', message: /: it is not a regular file$/ }
      t.match(load('/dev/zero', {}).findings, [notRegular])
      // Else the read waits until another process opens the FIFO.
      execFileSync('mkfifo', [join(place.cwd, 'pipe.yaml')])
      t.match(load('pipe.yaml').findings, [notRegular])
      t.match(load('base', { layers: ['pipe.yaml'] }).findings, [notRegular])
      writeFileSync(join(place.cwd, 'to-pipe.yaml'), `${head}extends: ./pipe.yaml\n`)
      t.match(load('to-pipe.yaml').findings, [
        { id: 'extends-unreadable', message: /: pipe\.yaml: it is not a regular file$/ },
      ])
      const closed = join(place.cwd, 'closed.yaml')
      writeFileSync(closed, head)
      chmodSync(closed, 0)
      if (process.getuid?.() === 0) return
      t.match(load('closed.yaml').findings, [
        { id: 'unreadable', message: 'the file cannot be read: permission denied' },
      ])
    },
  )

  t.test('a file that does not exist is not a finding', async (t) => {
    const [file, builtin] = ['no such file', 'no such built-in profile']
    const rows: readonly [profile: string, more: Partial<ProfileRequest>, missing: unknown][] = [
      ['ws2202', {}, [{ name: 'ws2202', why: builtin, suggestion: 'ws2022' }]],
      ['ws2022-nod', {}, [{ name: 'ws2022-nod', why: builtin, suggestion: './ws2022-node.yaml' }]],
      ['base-2022', {}, [{ name: 'base-2022', why: builtin, suggestion: 'base' }]],
      ['site', {}, [{ name: 'site', why: builtin, suggestion: './site.yaml' }]],
      ['sitee', {}, [{ name: 'sitee', why: builtin, suggestion: './site.yaml' }]],
      ['./sote.yaml', {}, [{ name: './sote.yaml', why: file, suggestion: './site.yaml' }]],
      ['zzzz.yaml', {}, [{ name: 'zzzz.yaml', why: file, suggestion: undefined }]],
      ['./ws2202.yaml', {}, [{ name: './ws2202.yaml', why: file, suggestion: 'ws2022' }]],
      [
        'deap/midle.yaml',
        {},
        [{ name: 'deap/midle.yaml', why: file, suggestion: 'deep/middle.yaml' }],
      ],
      ['x'.repeat(5000), {}, [{ name: 'x'.repeat(5000), why: builtin, suggestion: undefined }]],
      ['no/such/file.yaml', {}, [{ name: 'no/such/file.yaml', why: file, suggestion: undefined }]],
      ['site.yaml/x.yaml', {}, [{ name: 'site.yaml/x.yaml', why: file, suggestion: undefined }]],
      [
        'base',
        { layers: ['layr.yaml'] },
        [{ name: 'layr.yaml', why: file, suggestion: 'layer.yaml' }],
      ],
      ['base', { layers: ['bas'] }, [{ name: 'bas', why: file, suggestion: undefined }]],
      ['folder.yaml', {}, [{ name: 'folder.yaml', why: 'a folder', suggestion: undefined }]],
      ['./long', {}, [{ name: './long', why: 'a folder', suggestion: undefined }]],
      [
        './deep',
        {},
        [{ name: './deep', why: 'a folder', suggestion: './deep/middle.yaml or ./deep/ring.yaml' }],
      ],
      [
        'deep/tset.layer.yaml',
        {},
        [{ name: 'deep/tset.layer.yaml', why: file, suggestion: undefined }],
      ],
      [
        'base',
        { layers: ['deep/tset.layer.yaml'] },
        [{ name: 'deep/tset.layer.yaml', why: file, suggestion: 'deep/test.layer.yaml' }],
      ],
    ]
    for (const [profile, more, missing] of rows) {
      const loaded = load(profile, more)
      t.strictSame(loaded.missing, missing, profile)
      t.strictSame(loaded.findings, [], `${profile}: no finding`)
      t.equal(loaded.complete, false)
    }
  })

  t.test('a layer has a header and extends nothing', async (t) => {
    const layers = ['extending.yaml', 'headless.yaml', 'broken.yaml']
    const { findings, complete } = load('base', { layers })
    t.strictSame(
      findings.map((one) => `${one.place?.file} ${brief(one)}`),
      [
        'extending.yaml 3:1 extends-in-layer',
        'headless.yaml 1:1 header-missing',
        'headless.yaml 1:1 extends-in-layer',
        'broken.yaml 2:1 yaml-syntax',
      ],
    )
    t.equal(complete, false)
  })

  t.test('built-in profiles are listed', async (t) => {
    t.strictSame(builtinNames(place.root), ['base', 'ws2022'])
    t.strictSame(listProfiles(place.root), [
      { name: 'base', summary: 'Our recommendations.', extends: undefined },
      { name: 'ws2022', summary: 'Windows Server 2022.', extends: 'base' },
    ])
  })
})

t.test('--set makes its own layer', async (t) => {
  const folder = profileFolders(t)
  const load = (text: string) =>
    loadProfile({ profile: 'base', sets: [text], root: join(folder, 'root'), cwd: folder })
  const values: readonly [text: string, patch: Json][] = [
    ['a=', { a: '' }],
    ['a.b.c=text', { a: { b: { c: 'text' } } }],
    ['a.b=a=b', { a: { b: 'a=b' } }],
    ['labels."example.com/x=y"=z', { labels: { 'example.com/x=y': 'z' } }],
    ['n=50', { n: 50 }],
    ['n=-1', { n: -1 }],
    ['v=1.36', { v: '1.36' }],
    ['v=1.30.0', { v: '1.30.0' }],
    ['v=007', { v: '007' }],
    ['v=1e3', { v: '1e3' }],
    ['v=12345678901234567890', { v: '12345678901234567890' }],
    ['b=true', { b: true }],
    ['b=false', { b: false }],
    ['b=no', { b: 'no' }],
    ['b=toString', { b: 'toString' }],
    ['d=null', { d: null }],
    ['q="50"', { q: '50' }],
    ["q='true'", { q: 'true' }],
    ['l=[a, 1, {x: y}]', { l: ['a', 1, { x: 'y' }] }],
    ['m={"a": [1.5]}', { m: { a: [1.5] } }],
    ['t=line\nline', { t: 'line\nline' }],
  ]
  for (const [text, patch] of values) {
    const { layers, findings } = load(text)
    t.strictSame(findings, [], text)
    t.strictSame(layers.at(-1)?.patch, patch, `${text}: its value`)
  }
  const faults: readonly [text: string, said: string][] = [
    ['maxPods', '1:1 set-syntax'],
    ['=5', '1:1 set-syntax'],
    ['a..b=5', '1:1 set-syntax'],
    ['a[0]=5', '1:1 set-list-item'],
    ['extends=base', '1:1 set-header'],
    ['apiVersion=winnode/v1', '1:1 set-header'],
    ['a.__proto__.b=1', '1:1 forbidden-key'],
    ['a."\\u0000"=1', '1:1 null-character'],
    ['a.b\0.c=1', '1:1 null-character'],
    ['a."\\ud800"=1', '1:1 lone-surrogate'],
    ['\udc00=1', '1:1 lone-surrogate'],
    ['a=[1', '1:5 yaml-syntax'],
    ['a="x" y', '1:7 yaml-syntax'],
    ['a={b: 1, b: 2}', '1:10 duplicate-key'],
    ['a="\\0"', '1:3 null-character'],
    ['a=\ud800', '1:3 lone-surrogate'],
    ['a=[\u001b]', '1:4 control-character'],
    [`a=${'['.repeat(20_000)}`, '1:67 too-deep'],
  ]
  for (const [text, said] of faults) {
    t.equal(load(text).findings.map(brief)[0], said, text.slice(0, 40))
  }
  const layer = load('a.b=[x, yy]').layers.at(-1)
  t.match(layer?.place(['a', 'b', 1]), {
    file: '--set a.b',
    line: 1,
    column: 9,
    length: 2,
    excerpt: 'a.b=[x, yy]',
  })
  t.match(layer?.place(['a', 'b'], 'key'), { column: 1, length: 3, excerpt: 'a.b=[x, yy]' })
})

t.test('a file is saved over what was read, and over nothing else', (t) => {
  const folder = t.testdir({ 'a.yaml': 'old' })
  const [file, lock] = [join(folder, 'a.yaml'), join(folder, '.a.yaml.winnode')]
  const reads = () => readFileSync(file, 'utf8')
  t.match(save(file, 'new', undefined), { kind: 'changed' }, 'it did not exist')
  t.match(save(file, 'new', digestOf('older')), { kind: 'changed' })
  t.equal(reads(), 'old')
  t.match(save(file, 'new', digestOf('old')), { kind: 'saved' })
  t.equal(reads(), 'new')
  t.match(save(join(folder, 'b.yaml'), 'new', digestOf('old')), { kind: 'changed' }, 'it is gone')
  t.strictSame(readdirSync(folder), ['a.yaml'])
  writeFileSync(lock, 'of another run')
  t.match(save(file, 'newer', digestOf('new')), { kind: 'held', lock })
  t.equal(readFileSync(lock, 'utf8'), 'of another run', 'it stays')
  t.equal(reads(), 'new')
  t.end()
})

t.test('a file that is read-only stays, although its folder can be written to', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'winnode-read-only-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'a.yaml')
  writeFileSync(file, 'old', { mode: 0o444 })
  const isRoot = process.geteuid?.() === 0
  if (isRoot) for (const path of [file, folder]) chownSync(path, 65_534, 65_534)
  if (isRoot) process.seteuid?.(65_534)
  try {
    t.match(save(file, 'new', digestOf('old')), { kind: 'unsaved', cause: /permission/ })
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
  t.equal(readFileSync(file, 'utf8'), 'old')
  t.strictSame(readdirSync(folder), ['a.yaml'])
  t.end()
})

t.test('of several files all are replaced, or none', async (t) => {
  const folder = t.testdir({ 'a.yaml': 'a', 'b.yaml': 'b' })
  const file = (name: string) => join(folder, name)
  const replaced = (name: string, text: string, old: string) => ({
    ...{ file: file(name), text, before: digestOf(old) },
  })
  const a = replaced('a.yaml', 'A', 'a')
  const texts = () => ['a.yaml', 'b.yaml'].map((name) => readFileSync(file(name), 'utf8'))
  t.match(saveAll([a, replaced('b.yaml', 'B', 'other')]), { kind: 'changed' })
  t.strictSame(texts(), ['a', 'b'])
  const both = () => Promise.resolve(saveAll([a, replaced('b.yaml', 'B', 'b')]))
  const { mode } = statSync(file('a.yaml'))
  for (const at of [1, 2]) {
    const outcome = await failing('renameSync', 'EIO', both, (count) => count === at)
    t.strictSame(outcome, { kind: 'unsaved', cause: 'the disk has a fault' }, `rename ${at}`)
    t.strictSame(texts(), ['a', 'b'], `rename ${at}`)
    t.equal(statSync(file('a.yaml')).mode, mode, `rename ${at}: the permissions`)
  }
  t.strictSame(await both(), { kind: 'saved' })
  t.strictSame(texts(), ['A', 'B'])
  t.strictSame(readdirSync(folder), ['a.yaml', 'b.yaml'])
})

t.test('findings get the place of the layer that set their path', async (t) => {
  const folder = profileFolders(t)
  const { layers, own } = loadProfile({
    profile: 'site.yaml',
    sets: ['windows.release=ws2025'],
    root: join(folder, 'root'),
    cwd: join(folder, 'own'),
  })
  const finding = (path: Path, more: Partial<Finding> = {}): Finding => ({
    id: 'x',
    severity: 'error',
    path,
    message: 'm',
    ...more,
  })
  const placed = { file: 'z', line: 1, column: 1 }
  const found = withPlaces(
    [
      finding(['windows', 'release']),
      finding(['kubelet', 'maxPods'], { severity: 'warning' }),
      finding(['kubelet', 'maxPods'], { at: 'key' }),
      finding(['kubelet', 'unset']),
      finding(['windows'], { place: placed }),
    ],
    { layers, own, origin: mergeLayers(layers).origin },
  )
  t.strictSame(
    found.map(({ place }) => `${place?.file}:${place?.line}:${place?.column}`),
    ['--set windows.release:1:17', 'site.yaml:4:1', 'site.yaml:4:11', 'z:1:1', 'site.yaml:4:20'],
  )
  t.strictSame(withPlaces([finding(['a'])], { layers: [], origin: () => undefined }), [
    finding(['a'], { valueFrom: 'not set' }),
  ])
})

t.test('paths are shown with one kind of separator', async (t) => {
  const rows: readonly [shown: string, right: string][] = [
    [below('Z:\\a', 'files/b.txt', win32), 'Z:\\a\\files\\b.txt'],
    [below('Z:/a/', 'b.txt', win32), 'Z:\\a\\b.txt'],
    [below('.\\a\\', 'b.txt', win32), '.\\a\\b.txt'],
    [below('./a', 'files/b.txt', posix), './a/files/b.txt'],
    [below('a\\', 'b.txt', posix), 'a\\/b.txt'],
    [beside('.\\a/x.yaml', 'y.yaml', win32), '.\\a\\y.yaml'],
    [beside('a/x.yaml', 'y.yaml', win32), 'a\\y.yaml'],
    [beside('x.yaml', 'y.yaml', win32), 'y.yaml'],
    [beside('./a/x.yaml', 'y.yaml', posix), './a/y.yaml'],
    [beside('a\\x.yaml', 'y.yaml', posix), 'y.yaml'],
  ]
  for (const [shown, right] of rows) t.equal(shown, right)
  const within: readonly [path: string, folder: string, inside: boolean][] = [
    ['C:\\a\\b', 'C:\\a', true],
    ['C:\\A\\b', 'c:\\a', true],
    ['C:\\a', 'C:\\a', true],
    ['C:\\a\\..b', 'C:\\a', true],
    ['C:\\b', 'C:\\a', false],
    ['C:\\ab', 'C:\\a', false],
    ['D:\\a\\b', 'C:\\a', false],
    ['\\\\host\\share\\a', 'C:\\a', false],
  ]
  for (const [one, folder, inside] of within)
    t.equal(isWithinFolder(one, folder, win32), inside, `${one} in ${folder}`)
})

t.test('the nearest word', async (t) => {
  const words = ['release', 'revision', 'overlay', 'cni', 'maxPods']
  const rows: readonly [word: string, meant: string | undefined][] = [
    ['relase', 'release'],
    ['RELEASE', 'release'],
    ['erlease', 'release'],
    ['maxpods', 'maxPods'],
    ['cin', 'cni'],
    ['overlya', 'overlay'],
    ['cnx', 'cni'],
    ['cxx', undefined],
    ['', undefined],
    ['something', undefined],
    ['Pods', 'maxPods'],
    ['re', undefined],
    // In two of them.
    ['rel', 'release'],
    ['lay', 'overlay'],
    ['ease', 'release'],
    ['x'.repeat(100_000), undefined],
  ]
  for (const [word, meant] of rows) t.equal(nearest(word, words), meant, word.slice(0, 20))
})
