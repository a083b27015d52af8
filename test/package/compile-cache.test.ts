// Node's compile cache: in which folders it is kept, and that no bit of it changes what winnode does.
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { satisfies } from 'semver'
import { t, type Test } from 'tap'
import { cacheFolder } from '../../src/compile-cache.ts'
import { root, shell, spawned } from '../tools/run.ts'

const posix = process.platform === 'win32' ? { skip: 'modes of POSIX' } : {}
const asRoot = process.geteuid?.() === 0 ? {} : { skip: 'changes owners: root only' }
const cached = satisfies(process.versions.node, '>=22.8')
  ? {}
  : { skip: `Node.js ${process.version} has no compile cache` }

/** User ids. */
const stranger = 1234
const nobody = 65534

/** In its own folder; a path that begins with ./ is below it. */
interface Constellation {
  readonly HOME?: string
  readonly XDG_CACHE_HOME?: string
  readonly prepared?: readonly ((folder: string) => void)[]
  /** The user that runs winnode, where it is not this user; such a row needs root, as one that changes owners. */
  readonly uid?: number
  readonly asRoot?: true
  /** The folder that is used; none without it. */
  readonly used?: string
  /** What must not be made. */
  readonly unmade?: string
}

function folder(name: string, mode: number, uid?: number): (at: string) => void {
  return (at) => {
    const place = path.join(at, name)
    mkdirSync(place, { recursive: true })
    chmodSync(place, mode)
    if (uid !== undefined) chownSync(place, uid, uid)
  }
}

function file(name: string): (at: string) => void {
  return (at) => {
    writeFileSync(path.join(at, name), '')
  }
}

function link(name: string, target: string): (at: string) => void {
  return (at) => {
    symlinkSync(target, path.join(at, name))
  }
}

/** An existing home, a separate cache folder, and a missing home. */
const home = { HOME: './home', prepared: [folder('home', 0o755)] }
const cache = { HOME: './none', XDG_CACHE_HOME: './c' }
const owned = folder('c', 0o755)

const constellations: Readonly<Record<string, Constellation>> = {
  HOME: { ...home, used: 'home/.cache/winnode' },
  'HOME is unset': { uid: nobody },
  'HOME is empty': { HOME: '' },
  'HOME is relative': { ...home, HOME: 'home', unmade: 'home/.cache' },
  'HOME is missing': { HOME: './home', unmade: 'home' },
  'HOME is /dev/null': { HOME: '/dev/null' },
  'HOME is /proc': { HOME: '/proc' },
  'HOME is read-only': {
    HOME: './home',
    prepared: [folder('home', 0o555, stranger)],
    uid: stranger,
    unmade: 'home/.cache',
  },
  'HOME is another user’s': { ...home, uid: stranger, unmade: 'home/.cache' },
  'HOME is another user’s, by sudo': {
    HOME: './home',
    prepared: [folder('home', 0o755, stranger)],
    asRoot: true,
    unmade: 'home/.cache',
  },
  XDG_CACHE_HOME: { ...cache, prepared: [owned], used: 'c/winnode' },
  'XDG_CACHE_HOME is empty': { ...home, XDG_CACHE_HOME: '', used: 'home/.cache/winnode' },
  'XDG_CACHE_HOME is relative': {
    ...home,
    XDG_CACHE_HOME: 'c',
    used: 'home/.cache/winnode',
    unmade: 'c',
  },
  'XDG_CACHE_HOME is missing': { ...cache, used: 'c/winnode' },
  'XDG_CACHE_HOME is missing, with its parents': {
    ...cache,
    XDG_CACHE_HOME: './a/b/c',
    unmade: 'a',
  },
  'XDG_CACHE_HOME is a file': { ...cache, prepared: [file('c')] },
  'sticky, as a temporary folder is': {
    ...cache,
    prepared: [folder('c', 0o1777)],
    used: 'c/winnode',
  },
  'writable for all': { ...cache, prepared: [folder('c', 0o777)], unmade: 'c/winnode' },
  'writable for the group': { ...cache, prepared: [folder('c', 0o770)], unmade: 'c/winnode' },
  'below a folder that is writable for all': {
    ...cache,
    XDG_CACHE_HOME: './a/c',
    prepared: [folder('a/c', 0o755), folder('a', 0o777)],
    unmade: 'a/c/winnode',
  },
  'its folder is 0700': {
    ...cache,
    prepared: [owned, folder('c/winnode', 0o700)],
    used: 'c/winnode',
  },
  'its folder is 0755': { ...cache, prepared: [owned, folder('c/winnode', 0o755)] },
  'its folder is 0750': { ...cache, prepared: [owned, folder('c/winnode', 0o750)] },
  'its folder is another user’s': {
    ...cache,
    prepared: [folder('c', 0o1777), folder('c/winnode', 0o700, stranger)],
    asRoot: true,
  },
  'a link to a folder that is writable for all': {
    ...cache,
    prepared: [owned, folder('evil', 0o777), link('c/winnode', '../evil')],
  },
  'a link to nothing': {
    ...cache,
    prepared: [owned, link('c/winnode', '../evil')],
    unmade: 'evil',
  },
  'a file': { ...cache, prepared: [owned, file('c/winnode')] },
}

t.test('where the compile cache is', posix, async (t) => {
  const starter = path.join(root, 'dist/compile-cache.cjs')
  const script = 'process.stdout.write(String(require(process.argv[1]).cacheFolder()))'
  for (const [name, one] of Object.entries(constellations)) {
    const needs = one.asRoot === true || one.uid !== undefined ? asRoot : {}
    await t.test(name, needs, async (t) => {
      const at = ownFolder(t)
      for (const prepare of one.prepared ?? []) prepare(at)
      const variables = [
        ['HOME', one.HOME] as const,
        ['XDG_CACHE_HOME', one.XDG_CACHE_HOME] as const,
      ]
      const set = variables.flatMap(([variable, value]) =>
        value === undefined ? [] : [`${variable}=${value.replace(/^\.(?=\/)/, at)}`],
      )
      const user = one.uid === undefined ? [] : ['setpriv', `--reuid=${one.uid}`, '--clear-groups']
      const { stdout, stderr } = shell('cd "$0" && exec "$@"', [
        at,
        ...user,
        ...['env', '-u', 'HOME', '-u', 'XDG_CACHE_HOME', ...set],
        ...[process.execPath, '-e', script, starter],
      ])
      const used = one.used === undefined ? undefined : path.join(at, one.used)
      t.equal(stdout, String(used), stderr)
      if (used !== undefined) t.equal(statSync(used).mode & 0o777, 0o700)
      if (one.unmade !== undefined) t.notOk(existsSync(path.join(at, one.unmade)))
    })
  }
})

/** No other user can write to it, whatever this user's umask is. */
function ownFolder(test: Test): string {
  const at = realpathSync(test.testdir())
  chmodSync(at, 0o755)
  return at
}

t.test('the folder of the user on Windows', async (t) => {
  const at = ownFolder(t)
  t.equal(cacheFolder({ LOCALAPPDATA: at }, 'win32'), path.join(at, 'winnode'))
  t.equal(cacheFolder({}, 'win32'), undefined)
})

const render = ['render', 'ws2022-flannel-overlay', '--only', 'node.json', '--out', '-']

t.test('NODE_DISABLE_COMPILE_CACHE', async (t) => {
  const XDG_CACHE_HOME = ownFolder(t)
  const { code } = spawned(['schema'], { env: { XDG_CACHE_HOME, NODE_DISABLE_COMPILE_CACHE: '1' } })
  t.equal(code, 0)
  t.strictSame(readdirSync(XDG_CACHE_HOME), [])
})

t.test('a wrong bit of the cache changes nothing', cached, async (t) => {
  const env = { XDG_CACHE_HOME: ownFolder(t), NODE_COMPILE_CACHE: '' }
  const good = spawned(render, { env })
  t.equal(good.code, 0, good.stderr)
  const entries = readdirSync(env.XDG_CACHE_HOME, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  t.equal(files.length, 1, 'the program is one file')
  const [kept = ''] = files.map(({ parentPath, name }) => path.join(parentPath, name))
  const whole = readFileSync(kept)
  t.ok(whole.length > 100_000, `${whole.length} bytes`)
  t.strictSame(spawned(render, { env }), good, 'the second run')

  const flips = 60
  for (let flip = 0; flip < flips; flip += 1) {
    // From the header on, spread over the file; each bit of a byte in turn.
    const at = Math.floor((flip * whole.length) / flips) + (flip % 24)
    const spoiled = Buffer.from(whole)
    spoiled.writeUInt8(spoiled.readUInt8(at) ^ (1 << (flip % 8)), at)
    writeFileSync(kept, spoiled)
    t.strictSame(spawned(render, { env }), good, `byte ${at}`)
  }
  const cut = [
    ['cut off', whole.subarray(0, whole.length >> 1)],
    ['empty', Buffer.alloc(0)],
    ['zeros, as after a power cut', Buffer.alloc(whole.length)],
  ] as const
  for (const [name, content] of cut) {
    writeFileSync(kept, content)
    t.strictSame(spawned(render, { env }), good, name)
  }
})
