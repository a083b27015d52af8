// What the linter does not see: the layers of the PowerShell module, exports that nothing uses, names and leftovers.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { t, type Test } from 'tap'
import { nodeModules } from '../../build/node.mjs'
import { traits } from '../../src/matrix/traits.ts'
import { homeOf, mayName, pluginIn, strayNameIn } from '../../build/plugin-names.mjs'
import { root } from '../tools/run.ts'
import { filesBelow } from './project-files.ts'

/** What the build and the compiler read for themselves. */
const standAlone = /\.d(\.json)?\.ts$|^render\/autoescape(\/|\.ts$)/

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

/** PowerShell that the build joins into modules. */
const parts = filesBelow(path.join(root, 'templates/node/module')).map((name) => {
  const text = readFileSync(path.join(root, 'templates/node/module', name), 'utf8')
  const functions = [...text.matchAll(/^function (\S+)/gm)].map(([, called = '']) => called)
  return { name, text, functions, lines: text.trimEnd().split('\n') }
})

t.test('the judge takes nothing from the tables', async (t) => {
  const judge = filesBelow(path.join(root, 'test/judge')).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const imports = judge.flatMap((name) => {
    const text = readFileSync(path.join(root, 'test/judge', name), 'utf8')
    return importsOf(text)
      .filter((to) => to.startsWith('.'))
      .map((to) => ({ name, to: path.posix.join('test/judge', path.posix.dirname(name), to) }))
  })
  const strays = imports.filter(({ to }) => !/^(test\/judge|src\/(go|model))\//.test(to))
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
  const rooms = nodeModules.flatMap((one) => one.parts.map((part) => `${one.folder}/${part}`))
  const level = (name: string): number =>
    rooms.indexOf(
      name
        .split('/')
        .slice(0, 2)
        .join('/')
        .replace(/\.ps1$/, ''),
    )
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

t.test('functions of the node’s module have their own names', async (t) => {
  // The later one would be called in place of the earlier one.
  const names = parts.flatMap(({ functions }) => functions.map((one) => one.toLowerCase()))
  t.strictSame(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  )
})

t.test('every trait is used', async (t) => {
  const askers = sources.filter(({ name }) => !/^model\/tables\.ts$/.test(name))
  const idle = Object.keys(traits).filter(
    (id) => !askers.some(({ text }) => text.includes(`'${id}'`)),
  )
  t.strictSame(idle, [])
})

t.test('a network plugin is named in its own room', async (t) => {
  const files = ['src', 'templates'].flatMap((folder) =>
    filesBelow(path.join(root, folder)).map((name) => {
      const file = `${folder}/${name}`
      return { file, text: readFileSync(path.join(root, file), 'utf8') }
    }),
  )
  // In src the linter does this: it can separate comments from strings.
  const strays = files.flatMap(({ file, text }) => {
    const found = file.startsWith('templates/') && strayNameIn(file, text)
    return found ? [`${file}: ${found}`] : []
  })
  t.strictSame(strays, [], 'templates; exceptions: build/plugin-names.mjs')
  const used = files.flatMap(({ file, text }) => (pluginIn(text) ? (homeOf(file) ?? []) : []))
  const idle = Object.keys(mayName).filter((home) => !used.includes(home))
  t.strictSame(idle, [], 'no exception is left over')
})

/** Whether the index of a folder of rules asks every rule that a file exports. */
function isSpread(name: string): boolean {
  const [, folder = '', file = ''] = /^((?:workloads\/)?rules)\/(.+)$/.exec(name) ?? []
  const index = sources.find((one) => one.name === `${folder}/index.ts`)?.text ?? ''
  const [, whole] = new RegExp(`^import \\* as (\\w+) from './${file}'$`, 'm').exec(index) ?? []
  return index.includes(`rulesOf(${whole ?? ''})`)
}

t.test('what is declared is in a list', async (t) => {
  const forgotten = sources.flatMap(({ name, text }) =>
    [...text.matchAll(/^export (?:const (\w+) = define|default class (\w+))/gm)].flatMap(
      ([, declared, command]) => {
        if (isSpread(name)) return []
        const code = importersOf(name).map((one) => withoutProse(one.text))
        const word = new RegExp(`\\b${declared ?? ''}\\b`)
        return code.some((one) => word.test(one))
          ? []
          : [`${name}: nothing uses ${declared ?? command}`]
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

t.test('what is exported is used elsewhere, not only by tests', async (t) => {
  const names = ['src', 'test', 'build', 'packaging', 'bin'].flatMap((folder) =>
    filesBelow(path.join(root, folder))
      .filter((name) => /\.[cm]?[jt]s$/.test(name) && !name.endsWith('.d.mts'))
      .map((name) => `${folder}/${name}`),
  )
  const files = [...names, 'build.mjs', 'eslint.config.js'].map((name) => {
    const text = readFileSync(path.join(root, name), 'utf8')
    return { name, text, code: withoutProse(text), asked: askedOf(name, text) }
  })
  const lonely = files.flatMap(({ name, text, code }) => {
    const found = text.matchAll(
      /^export (?:async |abstract )?(?:const|let|function\*?|class) (\w+)/gm,
    )
    if (isSpread(name.replace('src/', ''))) return []
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

t.test('files have names of their kind', async (t) => {
  // A shell that reads `>` in a text as a redirection leaves a file called after the next word.
  const strays = filesBelow(root).filter((name) => !/^\.|\.|\/|^LICENSE$/.test(name))
  t.strictSame(strays, [])
})

t.test('each file describes itself', async (t) => {
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
    const words = name.replace(/(\.d(\.json)?)?\.ts$|\.ps1$/, '').split('/')
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

function importsOf(text: string): readonly string[] {
  const found = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^'\s]+)'/g)
  return [...found].map(([, to = '']) => to)
}

function withoutProse(text: string): string {
  return text.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$|'(?:[^'\\\n]|\\.)*'/gm, '')
}
