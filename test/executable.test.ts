// The executable: two builds alike, nothing read or left beside it, and the same bytes as the program on Node.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { t } from 'tap'
import manifest from '#manifest'
import { casesOf } from '../packaging/compare/cases.mjs'
import { outcomeOf } from '../packaging/compare/run.mjs'
import { compile, stage } from '../packaging/executables/compile.mjs'
import { installedBun, runtimeFor } from '../packaging/executables/runtime.mjs'
import { fileOf, systems, thisSystem } from '../packaging/executables/systems.mjs'
import { root } from './tools/run.ts'

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly version: string }>>
}

const bun = installedBun(root)
const system = thisSystem()
const temporary = mkdtempSync(path.join(tmpdir(), 'winnode-executable-'))
const onNode = [process.execPath, path.join(root, 'bin/run.cjs')]
const executable = path.join(temporary, system ? fileOf(system) : '')
const all = process.env['WINNODE_ALL'] === '1'

t.teardown(() => rmSync(temporary, { recursive: true, force: true }))

async function build(name: string, file: string): Promise<string> {
  if (!bun || !system) throw new Error('there is no Bun for this system')
  const staged = path.join(temporary, name)
  await stage(root, staged)
  await compile(bun, { system, runtime: bun, staged, file })
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

t.test('every system has its Bun in the lockfile, and none is in the package', async (t) => {
  const text = readFileSync(path.join(root, 'package-lock.json'), 'utf8')
  const lock: Lockfile = JSON.parse(text)
  for (const { name, runtime } of systems) {
    const row = lock.packages[`node_modules/${runtime}`]
    t.match(row, { dev: true, optional: true, integrity: /^sha512-/ }, name)
    t.equal(row?.version, lock.packages['node_modules/bun']?.version)
  }
})

t.test('Bun of another system', async (t) => {
  const other = systems.find(({ name }) => name !== system?.name) ?? systems[0]
  if (!other) throw new Error('there are no systems')
  const folder = path.join(temporary, 'runtimes')
  const npm = path.join(temporary, 'npm.cjs')
  const before = process.env['npm_execpath']
  process.env['npm_execpath'] = npm
  t.teardown(() => {
    if (before === undefined) delete process.env['npm_execpath']
    else process.env['npm_execpath'] = before
  })
  writeFileSync(npm, "console.error('offline'); process.exit(1)")
  await t.rejects(runtimeFor(other, { root, folder }), /npm has no @oven.*: offline$/)
  const pack = "require('node:fs').writeFileSync(process.argv.at(-2) + '/a.tgz', 'evil')"
  writeFileSync(npm, `${pack}; console.log('a.tgz')`)
  await t.rejects(runtimeFor(other, { root, folder }), /is not what the lockfile names$/)
  t.strictSame(readdirSync(folder), [], 'and nothing of it stays')
})

t.test('one file', { skip: !bun && 'no Bun here' }, async (t) => {
  const sum = await build('staged', executable)

  await t.test('two builds are the same bytes', async (t) => {
    t.equal(await build('staged-elsewhere', path.join(temporary, 'again')), sum)
    t.notOk(readFileSync(executable).includes(temporary), 'without the folder that it was built in')
  })

  await t.test('it is whole in itself', async (t) => {
    const evil = "require('node:fs').writeFileSync('evil.txt', ''); console.log('evil')\n"
    const settings = 'WINNODE_DEBUG=1\nFORCE_COLOR=1\nBUN_OPTIONS="--preload ./evil.js"\n'
    const files = {
      'evil.js': evil,
      'bunfig.toml': 'preload = ["./evil.js"]\n[run]\nbun = true\n',
      '.env': settings,
      '.env.local': settings,
      '.env.production': settings,
      'package.json': '{"name": "evil", "type": "module", "imports": {"#manifest": "./evil.js"}}',
      'tsconfig.json': '{"compilerOptions": {"paths": {"*": ["./evil.js"]}}}',
      'node_modules/typescript/index.js': evil,
      'node_modules/ts-node/index.js': evil,
      'profiles/base.yaml': 'evil',
      'profiles/ws2022-flannel-overlay.yaml': 'evil',
      'dist/node/WinNode.psm1': 'evil',
    }
    const env = { NODE_OPTIONS: '--require ./evil.js', NODE_PATH: './node_modules' }
    const argv = ['render', 'ws2022-flannel-overlay', '--out', './out', '--as-of', '2026-11-20']
    const folder = path.join(temporary, 'case')
    const hostile = await outcomeOf([executable], { argv, files, env }, folder)
    const plain = await outcomeOf([executable], { argv }, folder)
    t.equal(plain.code, 0, plain.stderr)
    const { files: written, ...said } = hostile
    const { files: bare, ...plainly } = plain
    t.strictSame(said, plainly, 'it says the same')
    const bundle = Object.fromEntries(
      Object.entries(written).filter(([name]) => name.startsWith('out')),
    )
    t.strictSame(bundle, bare, 'and writes the same, and nothing else')
    t.notOk('evil.txt' in written, 'without running what lies there')

    const nowhere = {
      HOME: '/nowhere',
      XDG_CACHE_HOME: '/nowhere',
      TMPDIR: folder,
      BUN_TMPDIR: folder,
    }
    const homeless = await outcomeOf(
      [executable],
      { argv: ['validate', 'base'], env: nowhere },
      folder,
    )
    t.match(homeless, { code: 0, files: {} }, 'and needs no home')
  })

  const goldens = readdirSync(path.join(root, 'test/golden'))
    .map((name) => ({ name, file: path.join(root, 'test/golden', name, 'profile.yaml') }))
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => ({ name, text: readFileSync(file, 'utf8') }))
  const cases = casesOf(Object.keys(manifest.commands), goldens)
  for (const one of cases.filter(({ often }) => all || often)) {
    await t.test(one.name, async (t) => {
      const folder = path.join(temporary, 'case')
      mkdirSync(folder, { recursive: true })
      t.strictSame(await outcomeOf([executable], one, folder), await outcomeOf(onNode, one, folder))
    })
  }
})
