// The house: which room may import which, what stays at the edge, and how long a file may be.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { t, type Test } from 'tap'
import { nodeRooms } from '../../build/node.mjs'
import { traits } from '../../src/matrix/traits.ts'
import { root } from '../tools/run.ts'

/** A room imports from the levels above its own, and from itself; never from its neighbours. */
const levels: readonly (readonly string[])[] = [
  ['model'],
  ['matrix'],
  ['net', 'report'],
  ['sizing', 'cni'],
  ['downloads'],
  ['components'],
  ['profile', 'rules', 'artifacts', 'steps'],
  ['check', 'plan', 'render'],
  ['compile'],
  ['drift', 'doctor', 'targets'],
  ['present', 'io', 'wizard'],
  ['prompts', 'cluster'],
  ['commands'],
  ['version'],
  ['main', 'compile-cache'],
]

/** Who may import what is not ours; a package that is not named here may be imported by nobody. */
const packages: Readonly<Record<string, RegExp>> = {
  '#manifest': /^commands\/process\.ts$/,
  '#minors': /^matrix\/minors\.ts$/,
  '#origin': /^(main|version)\.ts$/,
  '#templates': /^render\/templates\.ts$/,
  '@inquirer/input': /^prompts\//,
  '@inquirer/search': /^prompts\//,
  '@inquirer/select': /^prompts\//,
  '@oclif/core': /^commands\//,
  '@valibot/to-json-schema': /^profile\/json-schema\.ts$/,
  diff: /^io\/(edits|drift\/original)\.ts$/,
  fflate: /^targets\/archive\.ts$/,
  handlebars: /^render\/(engine|harden)\.ts$|^render\/harden\//,
  'node:buffer': /^commands\/render\/deliver\.ts$/,
  'node:child_process': /^cluster\/kubectl\.ts$/,
  'node:crypto': /^io\/drift\/original\.ts$|^cluster\/certificate\.ts$/,
  'node:fs': /^(io|commands)\/|^compile-cache\.ts$|^cluster\/kubectl\.ts$/,
  'node:module': /^compile-cache\.ts$/,
  'node:net': /^cluster\/kubelets\.ts$/,
  'node:os': /^io\/bundle\/lock\.ts$|^compile-cache\.ts$/,
  'node:path': /^(io|commands)\/|^compile-cache\.ts$|^cluster\/kubectl\.ts$/,
  'node:readline': /^prompts\//,
  'node:stream': /^prompts\/keyboard\.ts$/,
  'node:timers': /^prompts\//,
  'node:tty': /^prompts\//,
  'node:url': /^main\.ts$/,
  'node:util': /^io\/bundle\/write\.ts$|^(present|commands)\/|^prompts\/terminal\.ts$/,
  'smol-toml': /^io\/drift\/toml\.ts$/,
  semver: /^matrix\/version\.ts$/,
  valibot: /^profile\/|^model\/(field|credentials-field)\.ts$|^cni\/[\w-]+\/fields\.ts$/,
  yaml: /^io\/source\//,
}

/** What the build and the compiler read for themselves. */
const standAlone = /\.d\.ts$|^render\/harden(\/|\.ts$)/

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
const edge = ['io', 'prompts', 'cluster', 'commands', 'version', 'main', 'compile-cache']

/** Not two sentences, and not half of one. */
const sentence = /^(\/\/|#) (?!.*\. [A-Z`])\S.*\.$/
const banned = /^(utils?|helpers?|common|misc|manager)$/

interface Source {
  /** Path below `src`, with forward slashes. */
  readonly name: string
  readonly text: string
  readonly lines: readonly string[]
  readonly imports: readonly string[]
}

/** Tables of minors are data: build/minors.mjs reads them. */
const modules = filesBelow(path.join(root, 'src')).filter((name) => !name.endsWith('.json'))

const sources = modules.map((name): Source => {
  const text = readFileSync(path.join(root, 'src', name), 'utf8')
  return { name, text, imports: importsOf(text), lines: text.trimEnd().split('\n') }
})

/** PowerShell that the build joins into one module. */
const parts = filesBelow(path.join(root, 'templates/node/module')).map((name) => {
  const text = readFileSync(path.join(root, 'templates/node/module', name), 'utf8')
  const functions = [...text.matchAll(/^function (\S+)/gm)].map(([, called = '']) => called)
  return { name, text, functions, lines: text.trimEnd().split('\n') }
})

t.test('rooms import downwards only', async (t) => {
  const level = (room: string): number => levels.findIndex((rooms) => rooms.includes(room))
  const homeless = sources.filter(({ name }) => level(roomOf(name)) < 0)
  t.strictSame(namesOf(homeless), [], 'every room has its level')
  const upwards = edges(/^\./).flatMap(({ name, target }) => {
    const file = path.posix.join(path.posix.dirname(name), target)
    const [from, to] = [roomOf(name), roomOf(file)]
    const allowed = from === to || level(to) < level(from)
    return allowed && (level(to) >= 0 || name === 'main.ts') ? [] : [`${name} imports ${file}`]
  })
  t.strictSame(upwards, [])
})

t.test('no file imports itself by a way around, not even for a type', async (t) => {
  let left = edges(/^\./).map(({ name, target }) => ({
    name,
    file: path.posix.join(path.posix.dirname(name), target),
  }))
  for (let before = Infinity; left.length < before;) {
    before = left.length
    const importing = new Set(left.map(({ name }) => name))
    left = left.filter(({ file }) => importing.has(file))
  }
  t.strictSame(
    left.map(({ name, file }) => `${name} imports ${file}`),
    [],
    'or what these lead to',
  )
})

t.test('the judge knows nothing from our tables', async (t) => {
  const judge = filesBelow(path.join(root, 'test/judge')).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const imports = judge.flatMap((name) => {
    const text = readFileSync(path.join(root, 'test/judge', name), 'utf8')
    return importsOf(text)
      .filter((to) => to.startsWith('.'))
      .map((to) => ({ name, to: path.posix.join('test/judge', path.posix.dirname(name), to) }))
  })
  const strays = imports.filter(({ to }) => !/^test\/judge\/|^src\/model\//.test(to))
  t.strictSame(
    strays.map(({ name, to }) => `${name} imports ${to}`),
    [],
  )
  const readers = judge.filter((name) =>
    /upstream|verdicts/.test(
      withoutProse(readFileSync(path.join(root, 'test/judge', name), 'utf8')),
    ),
  )
  t.strictSame(readers, [], 'nor from what programs answered')
})

t.test('rooms of the node’s module call downwards only', async (t) => {
  const level = (name: string): number => nodeRooms.indexOf(roomOf(name))
  const homes = new Map(parts.flatMap(({ name, functions }) => functions.map((one) => [one, name])))
  const upwards = parts.flatMap(({ name, text }) => {
    const words = new Set(text.replace(/^\s*#.*$/gm, '').match(/\b[A-Z]\w+-[A-Z]\w+/g))
    return [...words].flatMap((word) => {
      const home = homes.get(word) ?? name
      return level(home) > level(name) ? [`${name} calls ${word} of ${home}`] : []
    })
  })
  t.strictSame(upwards, [])
})

t.test('functions of the node’s module have names of their own', async (t) => {
  // The later one would be called in place of the earlier one.
  const names = parts.flatMap(({ functions }) => functions.map((one) => one.toLowerCase()))
  t.strictSame(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  )
})

t.test('packages are imported where they are at home', async (t) => {
  const strays = edges(/^[^.]/).flatMap(({ name, target }) =>
    packages[packageOf(target)]?.test(name) ? [] : [`${name} imports ${target}`],
  )
  t.strictSame(strays, [])
})

t.test('versions are compared in the tables alone', async (t) => {
  const elsewhere = sources.filter(({ name }) => roomOf(name) !== 'matrix')
  const comparing = elsewhere.flatMap(({ name, text }) => {
    const imported = /import \{([^}]*)\} from '[./]*matrix\/version\.ts'/.exec(text)?.[1] ?? ''
    const words = imported.split(',').flatMap((word) => word.trim() || [])
    return words
      .filter((word) => !['isPartial', 'parseVersion'].includes(word))
      .map((word) => `${name} imports ${word}`)
  })
  t.strictSame(comparing, [])
})

t.test('a range is a row, not an argument', async (t) => {
  const literal = sources.flatMap(({ name, text }) =>
    [...text.matchAll(/\binRange\([^)]*'[^']*'\)/g)].map(([call]) => `${name}: ${call}`),
  )
  t.strictSame(literal, [], 'with its source')
})

t.test('every trait is asked for', async (t) => {
  const askers = sources.filter(({ name }) => !/^matrix\/traits|^model\/trait\.ts$/.test(name))
  const idle = Object.keys(traits).filter(
    (id) => !askers.some(({ text }) => text.includes(`'${id}'`)),
  )
  t.strictSame(idle, [])
})

t.test('what is declared is in a list', async (t) => {
  const forgotten = sources.flatMap(({ name, text }) =>
    [...text.matchAll(/^export (?:const (\w+) = define|default class (\w+))/gm)].flatMap(
      ([, declared, command]) => {
        const code = importersOf(name).map((one) => withoutProse(one.text))
        const word = new RegExp(`\\b${declared ?? ''}\\b`)
        return code.some((one) => word.test(one))
          ? []
          : [`${name}: nobody asks for ${declared ?? command}`]
      },
    ),
  )
  t.strictSame(forgotten, [])
  const reached = new Set(['main.ts', 'compile-cache.ts'])
  for (const name of reached)
    for (const { target } of edges(/^\./).filter((one) => one.name === name))
      reached.add(path.posix.join(path.posix.dirname(name), target))
  t.strictSame(
    namesOf(sources.filter(({ name }) => !reached.has(name) && !standAlone.test(name))),
    [],
    'every file is imported',
  )
})

t.test('what is exported is asked for elsewhere, and not by tests alone', async (t) => {
  const names = ['src', 'test', 'build', 'packaging', 'bin'].flatMap((folder) =>
    filesBelow(path.join(root, folder))
      .filter((name) => /\.[cm]?[jt]s$/.test(name) && !name.endsWith('.d.mts'))
      .map((name) => `${folder}/${name}`),
  )
  const files = [...names, 'build.mjs'].map((name) => {
    const text = readFileSync(path.join(root, name), 'utf8')
    return { name, text, code: withoutProse(text), asked: askedOf(name, text) }
  })
  const lonely = files.flatMap(({ name, text, code }) => {
    const found = text.matchAll(
      /^export (?:async |abstract )?(?:const|let|function\*?|class) (\w+)/gm,
    )
    return [...found].flatMap(([, word = '']) => {
      const is = new RegExp(`\\b${word}\\b`, 'g')
      const askers = files.filter((one) => one.name !== name && one.asked(name).search(is) >= 0)
      const own = [...code.matchAll(is)].length > 1 || !name.startsWith('src/')
      const used = askers.some((one) => own || !one.name.startsWith('test/'))
      return used ? [] : [`${name}: ${word}`]
    })
  })
  t.strictSame(lonely, [])
})

/**
 * What a file asks of another one: the words of its import, or all of it where it takes the other as a whole. The
 * build and the starter load what is bundled, by other paths.
 */
function askedOf(name: string, text: string): (of: string) => string {
  const asked = new Map<string, string>()
  for (const [whole, clause = '', to = ''] of text.matchAll(
    /(?:^import\s([^']*?)from\s|\bimport\(\s*)'([^'\s]+)'/gm,
  )) {
    const target = path.posix.join(path.posix.dirname(name), to)
    const words = /\*|\($/.test(whole.slice(0, -to.length - 2)) ? withoutProse(text) : clause
    asked.set(target, `${asked.get(target) ?? ''} ${words}`)
  }
  const members = [...text.matchAll(/\.\w+/g)].join(' ')
  return (of) => asked.get(of) ?? (/^(src|test)\//.test(name) ? '' : members)
}

t.test('a list of what is ours is called in one place', async (t) => {
  const naming = sources.filter(({ text }) => /'(?:win)?node\.json'/.test(text))
  t.strictSame(namesOf(naming), ['model/bundle-path.ts'])
})

t.test('the middle is pure', async (t) => {
  const middle = sources.filter(({ name }) => !edge.includes(roomOf(name)))
  const asking = middle.flatMap(({ name, text }) => {
    // A digest follows from its text alone, whenever its module is loaded.
    const code = withoutProse(text).replace('process.getBuiltinModule()', '')
    return effects.flatMap((effect) => effect.exec(code)?.map((found) => `${name}: ${found}`) ?? [])
  })
  t.strictSame(asking, [])
  const today = sources.filter(({ text }) => /\bnew Date\(\)/.test(text))
  t.strictSame(namesOf(today), ['commands/base.ts'], 'the day is asked for in one place')
})

t.test('a command says nothing but by what all have', async (t) => {
  const own = ['base', 'process', 'run', 'standard-output'].map((name) => `commands/${name}.ts`)
  const loud = sources.filter(
    ({ name, text }) =>
      name.startsWith('commands/') &&
      !own.includes(name) &&
      /\bconsole\.|\bprocess\.std(out|err)\.write\b/.test(withoutProse(text)),
  )
  t.strictSame(namesOf(loud), [], 'this.data and this.talk of commands/base.ts')
})

t.test('files say what they are', async (t) => {
  await described(t, 'the program', sources)
  await described(t, 'the module of the node', parts)
})

async function described(t: Test, what: string, files: readonly Pick<Source, 'name' | 'lines'>[]) {
  const mute = files.filter(({ lines: [first = ''] }) => !sentence.test(first))
  t.strictSame(
    mute.map(({ name, lines }) => `${name}: ${lines[0]}`),
    [],
    `${what}: one sentence first`,
  )
  const vague = files.filter(({ name }) => {
    const words = name.replace(/(\.d)?\.ts$|\.ps1$/, '').split('/')
    return words.some((word) => banned.test(word) || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(word))
  })
  t.strictSame(namesOf(vague), [], `${what}: names in kebab-case that say something`)
}

t.test('nothing is left over, and nothing says where it was made', async (t) => {
  const unwanted = new RegExp(
    [
      `\\b(${['TO' + 'DO', 'FIX' + 'ME'].join('|')})\\b`,
      `(?<![\\w.])/(${['work', 'home', 'tmp', 'root'].join('|')})/\\w`,
      ['registry', '(npmjs|yarnpkg)'].join('\\.'),
    ].join('|'),
  )
  const found = filesBelow(root).flatMap((name) => {
    const match = unwanted.exec(readFileSync(path.join(root, name), 'utf8'))
    return match ? [`${name}: ${match[0]}`] : []
  })
  t.strictSame(found, [])
})

function namesOf(files: readonly Pick<Source, 'name'>[]): readonly string[] {
  return files.map(({ name }) => name)
}

function edges(kind: RegExp): readonly { readonly name: string; readonly target: string }[] {
  return sources.flatMap(({ name, imports }) =>
    imports.filter((target) => kind.test(target)).map((target) => ({ name, target })),
  )
}

function importersOf(name: string): readonly Source[] {
  const to = (one: Source, target: string) => path.posix.join(path.posix.dirname(one.name), target)
  return sources.filter((one) => one.imports.some((target) => to(one, target) === name))
}

function roomOf(name: string): string {
  return name.split('/')[0]?.replace(/\.(ts|ps1)$/, '') ?? ''
}

/** `semver/functions/parse.js` is of semver, `node:fs/promises` of node:fs. */
function packageOf(target: string): string {
  return target.split('/', target.startsWith('@') ? 2 : 1).join('/')
}

function importsOf(text: string): readonly string[] {
  const found = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^'\s]+)'/g)
  return [...found].map(([, to = '']) => to)
}

function withoutProse(text: string): string {
  return text.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$|'(?:[^'\\\n]|\\.)*'/gm, '')
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
