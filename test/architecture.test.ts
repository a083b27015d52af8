// The house: which room may import which, what stays at the edge, and how long a file may be.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { root } from './tools/run.ts'

/** A room imports from the levels above its own, and from itself; never from its neighbours. */
const levels: readonly (readonly string[])[] = [
  ['model'],
  ['matrix'],
  ['sizing', 'cni'],
  ['downloads'],
  ['profile', 'rules', 'artifacts', 'steps'],
  ['plan', 'render'],
  ['compile'],
  ['present', 'io', 'wizard'],
  ['commands'],
  ['main'],
]

/** Who may import what is not ours; a package that is not named here may be imported by nobody. */
const packages: Readonly<Record<string, RegExp>> = {
  '#manifest': /^main\.ts$/,
  '#templates': /^render\/templates\.ts$/,
  '@oclif/core': /^commands\//,
  '@valibot/to-json-schema': /^profile\/json-schema\.ts$/,
  diff: /^io\/bundle-diff\.ts$/,
  handlebars: /^render\/(engine|harden)\.ts$|^render\/harden\//,
  'node:crypto': /^render\/digest\.ts$|^io\//,
  'node:fs': /^(io|commands)\//,
  'node:path': /^(io|commands)\//,
  'node:url': /^main\.ts$/,
  'node:util': /^(present|commands)\//,
  semver: /^matrix\/version\.ts$/,
  valibot: /^profile\//,
  yaml: /^io\/source\//,
}

/** What makes an answer depend on anything but the question. */
const effects: readonly RegExp[] = [
  /\bprocess[.[]/,
  /\bconsole\.\w/,
  /\bnew Date\b|\bDate[.(]/,
  /\bMath\.random\b/,
  /\bperformance\./,
  /\bglobalThis\b/,
  /\bIntl\.|\.toLocale\w+\(|\.localeCompare\(/,
]
const edge = ['io', 'wizard', 'commands', 'main']

const banned = /^(utils?|helpers?|common|misc|manager)$/

interface Source {
  /** Path below `src`, with forward slashes. */
  readonly name: string
  readonly text: string
  readonly lines: readonly string[]
  readonly imports: readonly string[]
}

const sources = filesBelow(path.join(root, 'src')).map((name): Source => {
  const text = readFileSync(path.join(root, 'src', name), 'utf8')
  const imports = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map(
    ([, to = '']) => to,
  )
  return { name, text, imports, lines: text.trimEnd().split('\n') }
})

t.test('rooms import downwards only', async (t) => {
  const level = (room: string): number => levels.findIndex((rooms) => rooms.includes(room))
  for (const { name, imports } of sources) {
    const from = roomOf(name)
    t.not(level(from), -1, `${name} is in a room that has its level`)
    for (const target of imports.filter((each) => each.startsWith('.'))) {
      const file = path.posix.join(path.posix.dirname(name), target)
      if (file === '../package.json' && name === 'main.ts') continue
      const to = roomOf(file)
      t.ok(to === from || level(to) < level(from), `${name} may import ${file}`)
    }
  }
})

t.test('packages are imported where they are at home', async (t) => {
  for (const { name, imports } of sources) {
    for (const target of imports.filter((each) => !each.startsWith('.'))) {
      t.match(name, packages[packageOf(target)] ?? /^$/, `${name} may import ${target}`)
    }
  }
})

t.test('the middle is pure', async (t) => {
  for (const { name, text } of sources) {
    const found = effects.map((effect) => effect.exec(withoutComments(text))?.[0])
    const allowed = edge.includes(roomOf(name))
    t.strictSame(allowed ? [] : found.filter(Boolean), [], `${name} asks nobody`)
  }
  const asking = sources.filter(({ text }) => /\bnew Date\(\)/.test(text)).map(({ name }) => name)
  t.strictSame(asking, ['commands/base.ts'], 'the day is asked for once')
})

t.test('files are short, and say what they are', async (t) => {
  for (const { name, lines } of sources) {
    t.ok(lines.length <= 200, `${name} has at most 200 lines, and it has ${lines.length}`)
    t.match(lines[0], /^\/\/ \S.*\.$/, `${name} begins with its sentence`)
    t.notMatch(lines[0], /\. [A-Z`]/, `${name} begins with one sentence, not two`)
    t.match(path.basename(name), /^[a-z0-9]+(-[a-z0-9]+)*(\.d)?\.ts$/, `${name} is in kebab-case`)
    const words = name.replace(/(\.d)?\.ts$/, '').split('/')
    t.notOk(
      words.some((word) => banned.test(word)),
      `${name} has a name that says something`,
    )
  }
  const lengths = sources.map(({ lines }) => lines.length).sort((a, b) => a - b)
  t.ok((lengths[lengths.length >> 1] ?? 0) <= 60, 'half of the files have at most 60 lines')
})

t.test('tests are few', async (t) => {
  const tests = readdirSync(path.join(root, 'test')).filter((name) => name.endsWith('.test.ts'))
  t.ok(tests.length <= 40, `${tests.length} files of at most 40`)
})

t.test('nothing is left over, and nothing says where it was made', async (t) => {
  const unfinished = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME'].join('|')})\\b`)
  const machine = new RegExp(`(?<![\\w.])/(${['work', 'home', 'tmp', 'root'].join('|')})/\\w`)
  const registry = new RegExp(['registry', '(npmjs|yarnpkg)'].join('\\.'))
  for (const name of filesBelow(root)) {
    const text = readFileSync(path.join(root, name), 'utf8')
    for (const pattern of [unfinished, machine, registry]) {
      t.notMatch(text, pattern, `${name} has no ${pattern.source}`)
    }
  }
})

function roomOf(name: string): string {
  return name.split('/')[0]?.replace(/\.ts$/, '') ?? ''
}

/** `semver/functions/parse.js` is of semver, `node:fs/promises` of node:fs. */
function packageOf(target: string): string {
  return target.split('/', target.startsWith('@') ? 2 : 1).join('/')
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
}

/** Files of the project, without what git ignores; relative, with forward slashes. */
function filesBelow(folder: string): readonly string[] {
  const ignored = readFileSync(path.join(root, '.gitignore'), 'utf8').split('\n').filter(Boolean)
  const skip = [...ignored, '.git/'].map(
    (line) =>
      new RegExp(`^${line.replace(/\/$/, '').replaceAll('.', '\\.').replaceAll('*', '.*')}$`),
  )
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !skip.some((pattern) => pattern.test(name)))
    .flatMap((entry) => {
      if (!entry.isDirectory()) return [entry.name]
      return filesBelow(path.join(folder, entry.name)).map((name) => `${entry.name}/${name}`)
    })
}
