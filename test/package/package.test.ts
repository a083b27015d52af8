// The package: its lockfile, what is in it, and that an installed one does what the checkout does.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { satisfies, validRange } from 'semver'
import { t } from 'tap'
import { parse } from 'yaml'
import pjson from '../../package.json' with { type: 'json' }
import { exits } from '../../src/commands/exit.ts'
import { program as winnode, root, shell, spawned } from '../tools/run.ts'

const profile = 'ws2022-flannel-overlay'
const oldestNode = '20.19.0'

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly engines?: { readonly node?: string } }>>
}
interface Output {
  readonly inputs: Readonly<Record<string, unknown>>
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
  const staged = path.join(folder, 'staged')
  const script = path.join(root, 'packaging/package.mjs')
  t.match(shell('exec "$0" "$@"', [process.execPath, script, staged]), { code: 0, stderr: '' })
  const pack = 'npm pack "$1" --pack-destination "$0"'
  const packed = shell(pack, [folder, staged], { cwd: folder, env })
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
  const told = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'))
  t.strictSame(
    Object.keys(told).sort(),
    ['bin', 'description', 'engines', 'keywords', 'license', 'name', 'type', 'version'],
    'no scripts, no dependencies of any kind',
  )
  t.equal(pjson.private, true, 'the checkout itself, which has both, cannot be published')
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

t.test('without a build, the error has a remedy', async (t) => {
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

t.test('a stack trace names files of src where WINNODE_DEBUG asks for one', async (t) => {
  const env = { WINNODE_DEBUG: '1' }
  const { code, stderr } = spawned(['validate', 'no-such-profile'], { env })
  t.equal(code, exits.usage.code)
  t.match(stderr, /\n +at .*src\/commands\/\S+\.ts:\d+:\d+/)
})

t.test('a reader that leaves is no error', async (t) => {
  const script = '{ node bin/run.cjs schema; echo "exited with $?" >&2; } | head -c 1 > /dev/null'
  t.match(shell(script, [], { cwd: root }), { code: 0, stderr: 'exited with 0\n' })
  // So is one of its errors.
  const failed = '{ node bin/run.cjs validate none 2>&1; echo "exited with $?" >&2; } | true'
  t.match(shell(failed, [], { cwd: root }), { code: 0, stderr: 'exited with 2\n' })
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

t.test('signals reach a run whose pipe is not read', posix, async (t) => {
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

function writeSchema(descriptor: number) {
  const [command, ...words] = winnode
  return spawn(command, [...words, 'schema'], { stdio: ['ignore', descriptor, 'ignore'] })
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

t.test('the workflow runs existing scripts', async (t) => {
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
