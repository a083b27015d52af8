// The package: its lockfile, what is in it, and that an installed one does what the checkout does.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { satisfies, validRange } from 'semver'
import { t } from 'tap'
import { parse } from 'yaml'
import pjson from '../../package.json' with { type: 'json' }
import { exits } from '../../src/commands/exit.ts'
import { cacheFolder } from '../../src/start/cache-folder.ts'
import { readCompiled, writeCompiled } from '../../src/start/compiled.ts'
import { program as winnode, root, shell, spawned } from '../tools/run.ts'

const profile = 'ws2022-flannel-overlay'
const oldestNode = '20.19.0'

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly engines?: { readonly node?: string } }>>
}
interface Output {
  readonly bytes: number
  readonly inputs: Readonly<Record<string, unknown>>
  readonly imports: readonly { readonly path: string; readonly kind: string }[]
}
interface Metafile {
  readonly outputs: Readonly<Record<string, Output>>
}

function read(name: string): string {
  return readFileSync(path.join(root, name), 'utf8')
}

t.test('the lockfile', async (t) => {
  const text = read('package-lock.json')
  const lock: Lockfile = JSON.parse(text)
  t.notMatch(text, /"resolved"/, 'holds no addresses')
  t.match(read('.npmrc'), /^omit-lockfile-registry-resolved=true$/m, 'and is written without them')
  const rejecting = Object.entries(lock.packages).filter(([, { engines }]) => {
    const range = engines?.node
    return range !== undefined && validRange(range) && !satisfies(oldestNode, range)
  })
  t.strictSame(rejecting, [], `every package runs on Node ${oldestNode}`)
  t.ok(satisfies(oldestNode, pjson.engines.node), 'and so does winnode')
  t.notHas(
    pjson,
    { dependencies: {} },
    'everything is bundled: an installed winnode is one package',
  )
})

t.test('the bundle', async (t) => {
  const { outputs }: Metafile = JSON.parse(read('dist/generated/metafile.json'))
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs))
  t.strictSame(
    inputs.filter((input) => input.includes('node_modules/typescript/')),
    [],
    'TypeScript stays out',
  )
  const chunk = (of: string) =>
    Object.keys(outputs).find((name) => new RegExp(`/${of}-\\w+\\.cjs$`).test(name)) ?? ''
  t.ok(statSync(path.join(root, 'dist/main.cjs')).size < 8000, 'a version reads little')
  const every = ['dist/main.cjs', chunk('process'), chunk('run')]
  const budgets = [
    // 27 kB of it say which commands and flags there are.
    { what: 'every command', entries: every, most: 240_000 },
    { what: 'validate', entries: [...every, chunk('validate')], most: 780_000 },
    // 30 kB of it are tables of what the kubelet and kube-proxy ask of their settings, 6 kB the fields of targets.
    { what: 'render', entries: [...every, chunk('render')], most: 880_000 },
  ]
  for (const { what, entries, most } of budgets) {
    const loaded = withStaticImports(outputs, entries)
    const size = loaded.reduce((sum, name) => sum + (outputs[name]?.bytes ?? 0), 0)
    t.ok(size > 0 && size < most, `${what} loads ${size} bytes, of at most ${most}`)
  }

  const handlebars = inputs.filter((input) => input.includes('node_modules/handlebars/'))
  t.notMatch(handlebars.join('\n'), /compiler/, 'templates are compiled by the build only')
  const licences = read('dist/THIRD-PARTY.txt')
  const packages = inputs.flatMap(
    (input) => /.*node_modules\/((@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? [],
  )
  const missing = [...new Set(packages)].filter((name) => !licences.includes(`\n${name} `))
  t.strictSame(missing, [], 'every package in it has its licence beside it')
  t.match(licences, /^handlebars \d.*\(MIT\)$/m)
})

/** Files that load when the given ones do. */
function withStaticImports(outputs: Metafile['outputs'], names: readonly string[]): string[] {
  const seen = new Set(names)
  for (const name of seen) {
    const imports = outputs[name]?.imports.filter(({ kind }) => kind === 'import-statement') ?? []
    for (const { path: target } of imports) if (target in outputs) seen.add(target)
  }
  return [...seen]
}

t.test('an installed package renders what the checkout renders', async (t) => {
  const folder = t.testdir({ app: {} })
  const app = path.join(folder, 'app')
  const env = {
    npm_config_audit: 'false',
    npm_config_cache: path.join(folder, 'cache'),
    npm_config_fund: 'false',
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  }
  // Without scripts: they would build dist anew under the tests that run meanwhile.
  const pack = 'npm pack --json --ignore-scripts --pack-destination "$0"'
  const packed = shell(pack, [folder], { cwd: root, env })
  t.equal(packed.code, 0, packed.stderr)
  const tarballs = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  t.equal(tarballs.length, 1)

  writeFileSync(path.join(app, 'package.json'), '{"private": true}')
  const install = shell('npm install "$0"', [path.join(folder, tarballs[0] ?? '')], {
    cwd: app,
    env,
  })
  t.equal(install.code, 0, install.stderr)
  const installed = path.join(app, 'node_modules/winnode')
  t.strictSame(readdirSync(path.join(app, 'node_modules')).filter(visible), ['winnode'])
  t.strictSame(
    readdirSync(installed).sort(),
    ['LICENSE', 'README.md', 'bin', 'dist', 'docs', 'package.json', 'profiles'].sort(),
  )
  const { scripts } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'))
  // npm runs prepare, too, where a folder is installed, and names it as a script of an install.
  for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
    t.notOk(script in scripts, `nobody who installs it can run ${script}`)
  const dist = readdirSync(path.join(installed, 'dist'), { recursive: true, encoding: 'utf8' })
  t.notOk(dist.includes('generated'), 'nor what built it')

  const program = path.join(app, 'node_modules/.bin/winnode')
  t.match(shell('exec "$0" --version', [program], { cwd: app }).stdout, `winnode/${pjson.version} `)
  const there = render(path.join(folder, 'there'), path.join(installed, 'bin/run.cjs'))
  const here = render(path.join(folder, 'here'))
  t.ok(Object.keys(here).length > 10, 'a bundle has files')
  t.strictSame(there, here)
})

/** Files of a fresh bundle by path. */
function render(out: string, program?: string, from = profile): Readonly<Record<string, string>> {
  const argv = ['render', from, '--out', out, '--as-of', '2026-11-20']
  const { code, stderr } = spawned(argv, program === undefined ? {} : { program })
  t.equal(code, 0, stderr)
  const files = readdirSync(out, { recursive: true, withFileTypes: true })
  const names = files
    .filter((file) => file.isFile())
    .map((file) => path.join(file.parentPath, file.name))
  return Object.fromEntries(
    names.sort().map((name) => [path.relative(out, name), readFileSync(name).toString('latin1')]),
  )
}

function visible(name: string): boolean {
  return !name.startsWith('.')
}

t.test('without a build, the program says what to do', async (t) => {
  const folder = t.testdir({
    bin: Object.fromEntries(
      readdirSync(path.join(root, 'bin')).map((name) => [name, read(`bin/${name}`)]),
    ),
    'package.json': '{"type": "module"}',
  })
  const outcome = spawned([], { program: path.join(folder, 'bin/run.cjs') })
  t.match(outcome, {
    code: 1,
    stdout: '',
    stderr: /^winnode is not built yet: run `npm run build`/,
  })
})

t.test('what V8 compiled for a command is kept for its next run', async (t) => {
  const home = realpathSync(t.testdir())
  const env = { XDG_CACHE_HOME: home }
  const folder = path.join(home, 'winnode')
  const kept = path.join(folder, `${process.version}-${process.arch}-schema`)
  const ask = `
    const { createRequire } = require('node:module')
    const vm = require('node:vm')
    const refused = []
    vm.Script = class extends vm.Script {
      constructor(...given) {
        super(...given)
        refused.push(this.cachedDataRejected)
      }
    }
    process.argv.splice(1, 0, 'bin/run.cjs')
    process.on('exit', () => console.error(JSON.stringify([...new Set(refused)])))
    createRequire(process.cwd() + '/')('./bin/run.cjs')`
  const run = (...argv: readonly string[]) =>
    shell('exec "$0" -e "$@"', [process.execPath, ask, ...argv], { cwd: root, env }).stderr
  t.equal(run('schema'), '[null]\n', 'a first run has none')
  t.equal(run('schema'), '[false]\n', 'the second takes it for each of its files')
  t.equal(run('schema', '--json'), '[false]\n')
  t.equal(run('schema', '--no-such-flag').split('\n').at(-2), '[false]')
  t.equal(run('schemas').split('\n').at(-2), '[null]')
  t.strictSame(
    readdirSync(folder),
    [path.basename(kept)],
    'a word that is no command keeps nothing',
  )

  const whole = readFileSync(kept)
  const data = whole.lastIndexOf('\n')
  const changed = whole.toString('latin1').replace(/(?<="program":")./, 'x')
  const spoiled = [
    ['of another program', Buffer.from(changed, 'latin1'), '[null]\n'],
    ['of another V8', Buffer.concat([Buffer.alloc(data), whole.subarray(data)]), '[true]\n'],
    ['cut off', whole.subarray(0, whole.length >> 1), '[null]\n'],
    ['cut off within what it says', whole.subarray(0, -1), '[null]\n'],
    ['without data', whole.subarray(data), '[true]\n'],
    ['empty', Buffer.alloc(0), '[null]\n'],
  ] as const
  for (const [name, content, refused] of spoiled) {
    writeFileSync(kept, content)
    t.match(run('schema'), refused, `${name}: is not used`)
    t.equal(run('schema'), '[false]\n', 'and made anew')
  }
})

t.test('what another process of the same number writes is not what is kept', (t) => {
  const file = path.join(t.testdir(), 'kept')
  const fresh = `${file}.${process.pid}`
  const other = openSync(fresh, 'w')
  const kept = { kinds: [], data: Buffer.from('data') }
  writeCompiled(file, 'program', kept)
  writeSync(other, 'torn')
  closeSync(other)
  t.notOk(existsSync(file), 'nothing is, once')
  writeCompiled(file, 'program', kept)
  t.strictSame(readCompiled(file, 'program', readFileSync), kept)
  t.notOk(existsSync(fresh))
  t.end()
})

t.test('a run of another kind adds what it compiled, once', async (t) => {
  const home = realpathSync(t.testdir())
  const kept = path.join(home, 'winnode', `${process.version}-${process.arch}-render`)
  const rendered = (...more: readonly string[]) => {
    const argv = ['render', 'ws2022-flannel-overlay', '--out', path.join(home, 'out'), '--force']
    t.equal(spawned([...argv, ...more], { env: { XDG_CACHE_HOME: home } }).code, 0)
    const text = readFileSync(kept, 'latin1')
    const size = text.lastIndexOf('\n')
    const said: { readonly kinds: readonly string[] } = JSON.parse(text.slice(size + 1))
    return { kinds: said.kinds, size }
  }
  const dry = rendered('--dry-run')
  t.strictSame(dry.kinds, ['--dry-run --force --out'])
  const whole = rendered()
  t.strictSame(whole.kinds, ['--dry-run --force --out', '--force --out'])
  t.ok(whole.size > dry.size, 'what writes is there, too')
  const zip = rendered('--for', 'zip')
  t.ok(zip.size >= whole.size, 'and stays')
  const inode = statSync(kept).ino
  rendered('--dry-run')
  rendered()
  t.equal(statSync(kept).ino, inode, 'a kind that is known writes nothing')
})

t.test('a reader that leaves is no error', async (t) => {
  const script = '{ node bin/run.cjs schema; echo "ended with $?" >&2; } | head -c 1 > /dev/null'
  t.match(shell(script, [], { cwd: root }), { code: 0, stderr: 'ended with 0\n' })
})

const posix = process.platform === 'win32' ? { skip: 'Windows has no FIFO and no ulimit' } : {}

t.test('a pipe that does not block gets all of it, however slowly it is read', posix, async (t) => {
  const fifo = path.join(t.testdir(), 'fifo')
  t.equal(shell('mkfifo "$0"', [fifo]).code, 0)
  const reading = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
  const writing = openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK)
  const child = writeSchema(writing)
  closeSync(writing)
  const ended = once(child, 'close')
  const pieces = [Buffer.alloc(0)]
  const piece = Buffer.alloc(5000)
  for (let open = true; open;) {
    await setTimeout(1)
    try {
      const size = readSync(reading, piece)
      pieces.push(Buffer.from(piece.subarray(0, size)))
      open = size > 0 || child.exitCode === null
    } catch (error) {
      // Nothing yet.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
    }
  }
  closeSync(reading)
  await ended
  t.equal(child.exitCode, 0)
  const { stdout } = spawned(['schema'])
  t.ok(stdout.length > 2 ** 16, 'more than a pipe holds')
  t.equal(Buffer.concat(pieces).toString(), stdout)
})

t.test('a pipe that nobody reads keeps no signal from a run', posix, async (t) => {
  const fifo = path.join(t.testdir(), 'fifo')
  t.equal(shell('mkfifo "$0"', [fifo]).code, 0)
  const reading = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
  const writing = openSync(fifo, constants.O_WRONLY)
  const child = writeSchema(writing)
  closeSync(writing)
  const ended = once(child, 'close')
  while (!hasByte(reading)) await setTimeout(1)
  child.kill('SIGTERM')
  const inTime = await Promise.race([ended, setTimeout(5000)])
  child.kill('SIGKILL')
  await ended
  closeSync(reading)
  t.ok(inTime, 'it ends')
  t.equal(child.exitCode, exits.terminated.code)
})

/** By way of a shell, as what tap puts into a Node process opens the streams of it. */
function writeSchema(descriptor: number) {
  const words = ['-c', 'unset NODE_OPTIONS; exec "$0" "$@"', ...winnode, 'schema']
  return spawn('sh', words, { stdio: ['ignore', descriptor, 'ignore'] })
}

function hasByte(descriptor: number): boolean {
  try {
    return readSync(descriptor, Buffer.alloc(1)) > 0
  } catch (error) {
    // Nothing yet.
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return false
    throw error
  }
}

t.test('a file that cannot take all of it is an error', posix, async (t) => {
  const file = path.join(t.testdir(), 'schema.json')
  const script = `trap '' XFSZ; ulimit -f 8; exec "$@" schema > "$0"`
  t.match(shell(script, [file, ...winnode]), {
    code: 1,
    stderr:
      /^error: cannot write to standard output: a file would be larger than this system allows\n$/,
  })
})

interface Workflow {
  readonly jobs: Readonly<Record<string, Job>>
}
interface Job {
  readonly strategy: {
    readonly matrix: {
      readonly os?: readonly string[]
      readonly include?: readonly { readonly os: string; readonly profile: string }[]
    }
  }
  readonly steps: readonly { readonly run?: string }[]
}

t.test('the workflow runs what is there', async (t) => {
  const { jobs }: Workflow = parse(read('.github/workflows/ci.yml'))
  const all = Object.values(jobs)
  const steps = all.flatMap((job) => job.steps)
  const named = steps.flatMap(({ run }) => run?.match(/(?:\.ci|test|bin)\/[\w./-]+/g) ?? [])
  t.ok(named.includes('.ci/run'), 'the whole suite')
  for (const file of named) t.ok(existsSync(path.join(root, file)), file)

  const matrices = all.map(({ strategy }) => strategy.matrix)
  t.strictSame(matrices[0]?.os, ['ubuntu-24.04', 'windows-2022', 'windows-2025'])
  const real = matrices.flatMap(({ include }) => include ?? [])
  t.ok(real.length > 0, 'real nodes')
  const script = read('test/node/real-node.mjs')
  const ids = script.match(/(?<=')(?:file|firewall|running|service)-[a-z-]+(?=')/g) ?? []
  t.ok(ids.length > 3, 'the script names steps')
  for (const { os, profile: from } of real) {
    t.ok(from.startsWith(os.replace('windows-', 'ws')), `${from} runs on ${os}`)
    const node = render(path.join(t.testdir(), 'node'), undefined, from)['node.json'] ?? ''
    for (const id of ids) t.match(node, `"id": "${id}"`, `${from} has ${id}`)
  }
})

t.test('compiled code is kept only where nobody else can write', async (t) => {
  const home = realpathSync(t.testdir())
  const folder = path.join(home, 'winnode')
  const found = () => cacheFolder({ XDG_CACHE_HOME: home })
  t.equal(cacheFolder({ LOCALAPPDATA: home }, 'win32'), folder, 'the user’s own folder of Windows')
  t.equal(cacheFolder({}, 'win32'), undefined, 'or none')
  rmSync(folder, { recursive: true })
  if (process.platform === 'win32') return
  t.equal(found(), folder)
  t.equal(statSync(folder).mode & 0o777, 0o700, 'it is made for this user alone')
  t.equal(found(), folder, 'and found again')
  chmodSync(folder, 0o750)
  t.equal(found(), undefined, 'others may read it')
  chmodSync(folder, 0o700)
  for (const mode of [0o777, 0o707]) {
    chmodSync(home, mode)
    t.equal(found(), undefined, `others may put another in its place: ${mode.toString(8)}`)
  }
  chmodSync(home, 0o755)
  renameSync(folder, path.join(home, 'elsewhere'))
  chmodSync(path.join(home, 'elsewhere'), 0o777)
  symlinkSync('elsewhere', folder)
  t.equal(found(), undefined, 'a link to a folder of others')
  rmSync(folder)
  writeFileSync(folder, '')
  t.equal(found(), undefined, 'a file')
  for (const nowhere of ['/dev/null/x', '/proc', '/nowhere/deep/down']) {
    t.equal(cacheFolder({ XDG_CACHE_HOME: nowhere }), undefined, `no home: ${nowhere}`)
  }
  if (process.geteuid?.() !== 0) return
  rmSync(folder)
  chownSync(home, 1234, 1234)
  t.equal(found(), undefined, 'with sudo, the home of somebody else')
  t.notOk(existsSync(folder), 'where nothing of root’s is made')
})
