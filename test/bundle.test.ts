// How bundles reach the disk: as a whole or not at all, and without touching what is not ours.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { applyPatch } from 'diff'
import t from 'tap'
import type { Written } from '../src/io/bundle.ts'
import { planBundle, writeBundle } from '../src/io/bundle.ts'
import type { World } from '../src/io/bundle/world.ts'
import { realWorld } from '../src/io/bundle/world.ts'
import { diffBundle } from '../src/io/bundle-diff.ts'
import type { WriteRequest } from '../src/io/bundle/survey.ts'
import type { Disk } from '../src/io/bundle/disk.ts'
import { realDisk } from '../src/io/bundle/disk.ts'
import { claimText } from '../src/io/bundle/claims.ts'
import { digestOf } from '../src/io/bundle/manifest.ts'
import type { Claim, Standing } from '../src/io/run-identity.ts'
import { thisRun } from '../src/io/run-identity.ts'
import { bundleOf, contentsOf, textsOf } from './fixtures/io/bundles.ts'
import { fastDisk, fullDisk, Killed, mortalDisk, systemError } from './fixtures/io/disks.ts'
import type { Memory } from './fixtures/io/memory-disk.ts'
import { memoryDisk, rememberedIn } from './fixtures/io/memory-disk.ts'
import { claimBy, machine, worldOf } from './fixtures/io/worlds.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const fast = worldOf(fastDisk)

const first = bundleOf({
  'README.md': 'one',
  'files/a.txt': 'a1',
  'files/gone.txt': 'g',
  'old/x.txt': 'x',
})
const second = bundleOf({ 'README.md': 'two', 'files/a.txt': 'a1', 'files/new/b.txt': 'b' })

/** A bundle in which somebody has put things of their own. */
async function usedBundle(folder: string): Promise<string> {
  const out = join(folder, 'out')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await writeBundle(first, { out, cwd: '/' }, fast)
  mkdirSync(join(out, 'mine/empty'), { recursive: true })
  mkdirSync(join(out, 'files/new'))
  writeFileSync(join(out, 'mine/note.txt'), 'note')
  writeFileSync(join(out, 'files/new/mine.txt'), 'mine')
  symlinkSync('note.txt', join(out, 'mine/link'))
  return out
}

const mine = {
  files: '/',
  'files/new': '/',
  'files/new/mine.txt': 'mine',
  mine: '/',
  'mine/empty': '/',
  'mine/link': '-> note.txt',
  'mine/note.txt': 'note',
}
const usedFirst = { ...textsOf(first), old: '/', ...mine }
const usedSecond = { ...textsOf(second), ...mine }

t.test('a bundle is written as a whole', async (t) => {
  const folder = t.testdir()
  const out = join(folder, 'deep/er/out')
  const plan = await writeBundle(first, { out, cwd: '/' })
  t.match(plan, { kind: 'planned', conflicts: [], leftovers: [] })
  t.same(contentsOf(out), { ...textsOf(first), files: '/', old: '/' })
  t.same(readdirSync(join(folder, 'deep/er')), ['out'])

  const used = await usedBundle(join(folder, 'used'))
  t.same(contentsOf(used), usedFirst)
  const again = await writeBundle(second, { out: 'used/out', cwd: folder }, fast)
  t.same(again.kind === 'planned' && again.changes, [
    { path: 'README.md', change: 'replace' },
    { path: 'files/a.txt', change: 'same' },
    { path: 'files/gone.txt', change: 'remove' },
    { path: 'files/new/b.txt', change: 'create' },
    { path: 'files/new/mine.txt', change: 'keep' },
    { path: 'mine/empty', change: 'keep' },
    { path: 'mine/link', change: 'keep' },
    { path: 'mine/note.txt', change: 'keep' },
    { path: 'node.json', change: 'replace' },
    { path: 'old/x.txt', change: 'remove' },
  ])
  t.same(contentsOf(used), usedSecond)
  t.same(readdirSync(join(folder, 'used')), ['out'])
})

t.test('what is the same is not touched', async (t) => {
  const out = await usedBundle(t.testdir())
  const quiet = mortalDisk(fastDisk, 1)
  const plan = await writeBundle(first, { out, cwd: '/' }, worldOf(quiet))
  t.equal(quiet.count(), 0)
  t.ok(plan.kind === 'planned' && plan.changes.every(({ change }) => /same|keep/.test(change)))
})

t.test('what somebody made or changed is not overwritten', async (t) => {
  const folder = t.testdir()
  const spoil = (path: string, text: string) => (out: string) =>
    writeFileSync(join(out, path), text)
  const respell = (path: string, from: string | RegExp, to: string) => (out: string) =>
    spoil(path, readFileSync(join(out, path), 'utf8').replace(from, to))(out)
  const rows: readonly [
    name: string,
    spoil: (out: string) => void,
    files: typeof first,
    conflicts: string[],
    forced: string[],
  ][] = [
    ['nothing changed', () => undefined, second, [], []],
    ['a file of ours was edited', spoil('README.md', 'mine'), second, ['README.md edited'], []],
    ['an edit that render would make too', spoil('README.md', 'two'), second, [], []],
    ['a file of ours was deleted', (out) => rmSync(join(out, 'README.md')), second, [], []],
    ['an edited file that is no longer rendered', spoil('old/x.txt', 'mine'), second, [], []],
    [
      'a foreign file in the way',
      spoil('files/new/b.txt', 'mine'),
      second,
      ['files/new/b.txt foreign'],
      [],
    ],
    ['no node.json', (out) => rmSync(join(out, 'node.json')), second, ['README.md foreign'], []],
    [
      'a broken node.json',
      spoil('node.json', '{'),
      second,
      ['README.md foreign', 'node.json foreign'],
      [],
    ],
    [
      'node.json was edited',
      respell('node.json', 'NodeDocument', 'NodeDocumenT'),
      second,
      ['node.json edited'],
      [],
    ],
    [
      'node.json lost its own digest',
      respell('node.json', /"sha256": "\w+",/, ''),
      second,
      ['node.json edited'],
      [],
    ],
    [
      'a foreign node.json',
      spoil('node.json', '{"files": []}'),
      second,
      ['README.md foreign', 'node.json foreign'],
      [],
    ],
    [
      'a strange list',
      spoil('node.json', '{"apiVersion": "winnode/v1", "files": [1, {"path": 2}]}'),
      second,
      ['README.md foreign', 'node.json edited'],
      [],
    ],
    [
      'no list',
      spoil('node.json', '{"apiVersion": "winnode/v1"}'),
      second,
      ['README.md foreign', 'node.json foreign'],
      [],
    ],
    [
      'a folder where a file goes',
      (out) => mkdirSync(join(out, 'files/new/b.txt')),
      second,
      ['files/new/b.txt blocked'],
      ['files/new/b.txt blocked'],
    ],
    [
      'a full folder where a file goes',
      (out) => {
        mkdirSync(join(out, 'files/new/b.txt'))
        writeFileSync(join(out, 'files/new/b.txt/c'), '')
      },
      second,
      ['files/new/b.txt blocked'],
      ['files/new/b.txt blocked'],
    ],
    [
      'a link where a file goes',
      (out) => symlinkSync('/etc/hosts', join(out, 'files/new/b.txt')),
      second,
      ['files/new/b.txt blocked'],
      ['files/new/b.txt blocked'],
    ],
    [
      'a link where a folder goes',
      (out) => {
        rmSync(join(out, 'files'), { recursive: true })
        symlinkSync('mine/empty', join(out, 'files'))
      },
      second,
      ['files/a.txt blocked', 'files/new/b.txt blocked'],
      ['files/a.txt blocked', 'files/new/b.txt blocked'],
    ],
    [
      'a node.json of more than 2 GiB',
      (out) => truncateSync(join(out, 'node.json'), 2 ** 31 + 1),
      second,
      ['README.md foreign', 'node.json foreign'],
      [],
    ],
    [
      'a file of more than 2 GiB in the way',
      (out) => {
        writeFileSync(join(out, 'files/new/b.txt'), '')
        truncateSync(join(out, 'files/new/b.txt'), 2 ** 31 + 1)
      },
      second,
      ['files/new/b.txt foreign'],
      [],
    ],
    [
      'a file of ours that grew beyond 2 GiB',
      (out) => truncateSync(join(out, 'README.md'), 2 ** 31 + 1),
      second,
      ['README.md edited'],
      [],
    ],
    ['a file of ours becomes a folder', () => undefined, bundleOf({ 'README.md/x': '1' }), [], []],
    ['a folder of ours becomes a file', () => undefined, bundleOf({ old: '1' }), [], []],
  ]
  for (const [name, change, files, conflicts, forced] of rows) {
    const said = async (force: boolean) => {
      const out = await usedBundle(folder)
      change(out)
      const before = contentsOf(out)
      const plan = await writeBundle(files, { out, cwd: '/', force }, fast)
      if (plan.kind !== 'planned') return [plan.kind]
      t.notOk(existsSync(join(folder, '.out.winnode')), `${name}: nothing is left beside`)
      if (plan.conflicts.length > 0) t.same(contentsOf(out), before, `${name}: nothing written`)
      else t.match(contentsOf(out), textsOf(files), `${name}: written`)
      return plan.conflicts.map((one) => `${one.path} ${one.change}`)
    }
    t.same(await said(false), conflicts, name)
    t.same(await said(true), forced, `${name}, by force`)
  }
  const kept = await usedBundle(folder)
  writeFileSync(join(kept, 'old/x.txt'), 'mine')
  await writeBundle(second, { out: kept, cwd: '/', force: true }, fast)
  t.equal(readFileSync(join(kept, 'old/x.txt'), 'utf8'), 'mine', 'an edited file is never removed')
})

t.test('some folders take no bundle', async (t) => {
  const folder = t.testdir({
    file: 'x',
    link: t.fixture('symlink', 'real'),
    real: {},
    cwd: { below: {} },
    full: {},
  })
  const crowded: Disk = {
    ...fastDisk,
    list: (path) => (path.endsWith('full') ? Array.from({ length: 10_001 }, () => '../file') : []),
  }
  const own = 'is the current folder, or holds it; a bundle needs a folder of its own'
  const rows: readonly [out: string, reason: string, disk?: Disk][] = [
    ['/', 'is the root of a disk'],
    ['.', own],
    ['..', own],
    ['', own],
    ['../caf\ufffd', 'has a name that is not UTF-8'],
    ['../link', 'is a link'],
    ['../file', 'is not a folder'],
    ['../file/a/b', `cannot be made: ${join(folder, 'file')} is not a folder`],
    ['../full', 'holds more than 10000 files; a bundle needs a folder of its own', crowded],
  ]
  for (const [out, reason, disk = fastDisk] of rows) {
    const request = { out, cwd: join(folder, 'cwd') }
    const outcome = await writeBundle(first, request, worldOf(disk))
    t.same(outcome, { kind: 'refused', reason }, out || 'no name')
  }
  await t.rejects(planBundle([{ path: '../x', content: utf8('') }], { out: 'x', cwd: folder }))
})

t.test('a folder keeps what it is and what is in it', async (t) => {
  const folder = t.testdir()
  const latin = Buffer.from('caf\xe9', 'latin1')
  const rows: [name: string, prepare: (out: string) => void, kept: (out: string) => unknown][] = [
    ['a folder of its own', () => undefined, () => undefined],
    [
      'a file of somebody',
      (out) => writeFileSync(join(out, 'x'), 'x'),
      (out) => lstatSync(out).ino,
    ],
    [
      'a name that is not UTF-8',
      (out) => writeFileSync(Buffer.concat([Buffer.from(`${out}/`), latin]), 'x'),
      (out) => [
        readFileSync(Buffer.concat([Buffer.from(`${out}/`), latin]), 'utf8'),
        lstatSync(out).ino,
      ],
    ],
    [
      'rights for others',
      (out) => chmodSync(out, 0o777),
      (out) => [lstatSync(out).ino, lstatSync(out).mode],
    ],
  ]
  if (process.getuid?.() === 0) {
    const own = (out: string) => chownSync(out, 1234, 1234)
    rows.push(['an owner', own, (out) => [lstatSync(out).ino, lstatSync(out).uid]])
  }
  for (const [name, prepare, kept] of rows) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    const out = join(folder, 'out')
    await writeBundle(first, { out, cwd: '/' }, fast)
    prepare(out)
    const before = kept(out)
    await writeBundle(second, { out, cwd: '/' }, fast)
    t.match(contentsOf(out), textsOf(second), name)
    t.same(kept(out), before, `${name} stays`)
    t.same(readdirSync(folder), ['out'], `${name}: nothing is left beside`)
  }
})

t.test('a folder is swapped only where nobody could exchange what is moved', async (t) => {
  const folder = t.testdir()
  const rows: readonly [name: string, mode: number, swapped: boolean][] = [
    ['a parent of one’s own', 0o755, true],
    ['a parent that anybody may write', 0o777, false],
    ['a parent that a group may write', 0o775, false],
    ['a sticky one, as the system’s temporary folder', 0o1777, true],
  ]
  if (process.platform === 'win32') return
  for (const [name, mode, swapped] of rows) {
    const parent = join(folder, `p${mode}`)
    mkdirSync(parent)
    chmodSync(parent, mode)
    const out = join(parent, 'out')
    await writeBundle(first, { out, cwd: '/' }, fast)
    const before = lstatSync(out).ino
    await writeBundle(second, { out, cwd: '/' }, fast)
    t.same(contentsOf(out), { ...textsOf(second), files: '/', 'files/new': '/' }, name)
    t.equal(
      lstatSync(out).ino !== before,
      swapped,
      `${name}: ${swapped ? 'swapped' : 'file by file'}`,
    )
    t.same(readdirSync(parent), ['out'])
  }
})

t.test('a folder that is closed around, or on another disk, is written from within', async (t) => {
  const folder = t.testdir()
  const rows: readonly [name: string, disk: Disk][] = [
    ['closed', { ...fastDisk, mayChange: (path) => path !== folder }],
    [
      'another disk',
      {
        ...fastDisk,
        look: (path) => {
          const found = fastDisk.look(path)
          return found && path.startsWith(join(folder, 'out')) ? { ...found, device: -1 } : found
        },
      },
    ],
  ]
  for (const [name, disk] of rows) {
    const out = await usedBundle(folder)
    const made: string[] = []
    const watching: Disk = {
      ...disk,
      makeFolder: (path, rights) => {
        made.push(path)
        disk.makeFolder(path, rights)
      },
    }
    await writeBundle(second, { out, cwd: '/' }, worldOf(watching))
    t.same(contentsOf(out), usedSecond, name)
    t.ok(made.length > 0 && !made.some((path) => path.startsWith(`${folder}/.`)), `${name}: within`)
  }
})

t.test('names of ours that are not ours', async (t) => {
  const folder = t.testdir()
  const trees: Readonly<Record<string, (path: string) => void>> = {
    'a file': (path) => writeFileSync(path, 'x'),
    'an empty folder': (path) => mkdirSync(path),
    'a full folder': (path) => {
      mkdirSync(path)
      writeFileSync(join(path, 'x'), 'x')
    },
    'a link to a folder': (path) => {
      mkdirSync(join(path, '../elsewhere'))
      symlinkSync('elsewhere', path)
    },
    'a link to nothing': (path) => symlinkSync('nowhere', path),
    'a claim that is none': (path) => {
      mkdirSync(path)
      writeFileSync(join(path, 'claim.1.json'), '{}')
    },
    'a claim that is a folder': (path) =>
      mkdirSync(join(path, 'claim.1.json'), { recursive: true }),
  }
  const modes: Readonly<Record<string, (request: WriteRequest) => Promise<Written>>> = {
    writing: (request) => writeBundle(second, request, fast),
    'writing by force': (request) => writeBundle(second, { ...request, force: true }, fast),
    planning: (request) => planBundle(second, request, fast),
  }
  for (const name of ['.out.winnode', '.out.new', '.out.old']) {
    for (const [what, make] of Object.entries(trees)) {
      for (const [mode, run] of Object.entries(modes)) {
        for (const there of [true, false]) {
          const out = await usedBundle(folder)
          if (!there) rmSync(out, { recursive: true })
          const path = join(folder, name)
          make(path)
          const before = contentsOf(folder)
          const outcome = await run({ out, cwd: '/' })
          const after = contentsOf(folder) ?? {}
          const said = `${name} is ${what}, ${mode}, ${there ? 'over a bundle' : 'where nothing is'}`
          t.same(
            Object.entries(after).filter(([key]) => key.startsWith(name)),
            Object.entries(before ?? {}).filter(([key]) => key.startsWith(name)),
            `${said}: it stays`,
          )
          if (name === '.out.winnode') {
            t.same(outcome, { kind: 'in-the-way', workspace: path }, `${said}: it is named`)
            t.same(after, before, `${said}: nothing else changes`)
          } else {
            const folderThere = what.includes('folder') && !what.includes('link')
            const named = folderThere || what.includes('claim') ? [path] : []
            t.match(outcome, { kind: 'planned', leftovers: named }, `${said}: it is named`)
          }
        }
      }
    }
  }
})

t.test('reading changes nothing', async (t) => {
  const folder = t.testdir()
  for (const there of ['a bundle', 'a bundle with other things', 'nothing']) {
    const out = await usedBundle(folder)
    if (there === 'nothing') rmSync(out, { recursive: true })
    if (there === 'a bundle') rmSync(join(out, 'mine'), { recursive: true })
    const still = mortalDisk(fastDisk, 1)
    const plan = await planBundle(second, { out, cwd: '/' }, worldOf(still))
    t.equal(plan.kind, 'planned')
    if (plan.kind === 'planned')
      await diffBundle(second, plan.changes, plan.folder, { created: true }, still)
    t.equal(still.count(), 0, there)
  }
})

t.test('one run at a time', async (t) => {
  const folder = t.testdir()
  const out = await usedBundle(folder)
  const { start } = machine()
  const [holder, waiter] = [start(), start()]
  let waited = 0
  const patient: Partial<World> = {
    wait: (milliseconds) => {
      waited += milliseconds
      return Promise.resolve()
    },
  }
  let moments = 0
  const goOn = async () => {
    moments += 1
    if (moments > 1) return true
    const before = contentsOf(folder)
    waited = 0
    const second_ = await writeBundle(second, { out, cwd: '/' }, worldOf(fastDisk, waiter, patient))
    t.match(second_, {
      kind: 'held',
      holder: { claim: { process: 1, host: 'test' }, standing: 'alive' },
    })
    t.ok(waited >= 2000 && waited < 2100, `waited ${waited} ms`)
    t.ok(second_.kind === 'held' && Math.abs(Date.now() - second_.holder.since) < 60_000)
    const reading = await planBundle(second, { out, cwd: '/' }, worldOf(fastDisk, waiter, patient))
    t.equal(reading.kind, 'held', 'who only reads waits too')
    t.same(contentsOf(folder), before, 'and nothing is changed')
    return true
  }
  const outcome = await writeBundle(second, { out, cwd: '/' }, worldOf(fastDisk, holder, { goOn }))
  t.equal(outcome.kind, 'planned')
  t.same(contentsOf(out), usedSecond)
  t.same(readdirSync(folder), ['out'])

  t.test('a run that comes to its end is waited for', async (t) => {
    const [slow, next] = [start(), start()]
    let others: Promise<Written> | undefined
    const goOnSlowly = async () => {
      const wait = () => new Promise<void>((resolve) => setImmediate(resolve))
      others ??= writeBundle(second, { out, cwd: '/' }, worldOf(fastDisk, next, { wait }))
      await wait()
      return true
    }
    await writeBundle(first, { out, cwd: '/' }, worldOf(fastDisk, slow, { goOn: goOnSlowly }))
    t.equal((await others)?.kind, 'planned')
    t.same(contentsOf(out), usedSecond)
  })
})

t.test('which run holds a folder', async (t) => {
  const { claim, standingOf } = thisRun()
  t.equal(standingOf(claim), 'dead', 'what this one has left itself')
  t.equal(standingOf({ ...claim, host: 'elsewhere' }), 'unknown', 'another machine')
  t.equal(standingOf({ ...claim, machine: 'other' }), 'unknown', 'another of the same name')
  const gone = spawnSync(process.execPath, ['-e', '']).pid
  t.equal(standingOf({ ...claim, process: gone }), 'dead', 'a process that ended')
  if (process.platform !== 'linux') return
  // The second takes the place of the shell, and never asks about the first.
  const script = 'sleep 0.2 & echo $!; exec sleep 30'
  const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  t.teardown(() => parent.kill())
  const said: unknown[] = await once(parent.stdout, 'data')
  const ended = Number(String(said[0]))
  const running = readStart(ended)
  for (let tries = 0; tries < 100 && !statOf(ended).includes(') Z '); tries += 1) await sleep(50)
  t.equal(standingOf({ ...claim, process: ended, start: running }), 'dead', 'one that has ended')
  t.equal(standingOf({ ...claim, start: '1' }), 'dead', 'its number was given again')
  t.equal(standingOf({ ...claim, space: 'pid:[1]' }), 'unknown', 'another container')
  const rebooted = claim.machine === '' ? 'unknown' : 'dead'
  t.equal(standingOf({ ...claim, boot: 'before' }), rebooted, 'before the machine started')
  const other = standingOf({ ...claim, process: 1, start: readStart(1) })
  t.equal(other, 'alive', 'a process of somebody else')
})

function statOf(number: number): string {
  return readFileSync(`/proc/${number}/stat`, 'utf8')
}

function readStart(number: number): string {
  const stat = statOf(number)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

t.test('a run gives up where nothing is lost', async (t) => {
  const folder = t.testdir()
  for (const there of [true, false]) {
    for (let at = 1; ; at += 1) {
      const out = await usedBundle(folder)
      if (!there) rmSync(out, { recursive: true })
      const deep = there ? out : join(folder, 'a/b/out')
      const before = contentsOf(folder)
      let asked = 0
      const goOn = () => {
        asked += 1
        return Promise.resolve(asked < at)
      }
      const outcome = await writeBundle(
        second,
        { out: deep, cwd: '/' },
        worldOf(fastDisk, undefined, { goOn }),
      )
      if (outcome.kind === 'planned') {
        t.match(contentsOf(deep), textsOf(second))
        t.ok(at > 4, `after ${at - 1} moments`)
        break
      }
      t.same(outcome, {
        kind: 'given-up',
        now: there ? `${out} is as it was` : 'nothing was written',
      })
      t.same(contentsOf(folder), before)
    }
  }
})

t.test('who waits hears of being asked to end', async (t) => {
  const folder = t.testdir()
  const out = await usedBundle(folder)
  const { start } = machine()
  const [holder, waiter] = [start(), start()]
  let tried = false
  const goOn = async () => {
    if (tried) return true
    tried = true
    const impatient = worldOf(fastDisk, waiter, { goOn: () => Promise.resolve(false) })
    const outcome = await writeBundle(second, { out, cwd: '/' }, impatient)
    t.same(outcome, { kind: 'given-up', now: `${out} is as it was` })
    return true
  }
  await writeBundle(second, { out, cwd: '/' }, worldOf(fastDisk, holder, { goOn }))
  t.ok(tried)
})

t.test('two places for a workspace are one lock', async (t) => {
  const folder = t.testdir()
  const closed: Disk = { ...fastDisk, mayChange: (path) => path !== folder }
  for (const [name, theirs, ours] of [
    ['the other one works within', closed, fastDisk],
    ['the other one works beside', fastDisk, closed],
  ] as const) {
    const out = await usedBundle(folder)
    const { start } = machine()
    const [holder, waiter] = [start(), start()]
    let tried = false
    const goOn = async () => {
      if (tried) return true
      tried = true
      const outcome = await writeBundle(second, { out, cwd: '/' }, worldOf(ours, waiter))
      t.match(outcome, { kind: 'held', holder: { claim: { process: 1 } } }, name)
      return true
    }
    await writeBundle(second, { out, cwd: '/' }, worldOf(theirs, holder, { goOn }))
    t.ok(tried)
    t.same(contentsOf(out), usedSecond)
    t.same(readdirSync(folder), ['out'])
  }
})

t.test('whose workspace it is', async (t) => {
  const folder = t.testdir()
  const workspace = join(folder, '.out.winnode')
  const claim = (number: number) => new TextDecoder().decode(claimText(claimBy(number)))
  const plant = (files: Readonly<Record<string, string>>, mode = 0o755) => {
    mkdirSync(workspace)
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(workspace, name, '..'), { recursive: true })
      writeFileSync(join(workspace, name), text)
    }
    chmodSync(workspace, mode)
  }
  const huge = (name: string) => {
    plant({ [name]: '' })
    truncateSync(join(workspace, name), 2 ** 31 + 1)
  }
  const rows: readonly [name: string, make: () => void, outcome: object][] = [
    ['a dead run of this user', () => plant({ 'claim.1.json': claim(9) }), { kind: 'planned' }],
    [
      'others may have put something there',
      () => plant({ 'claim.1.json': claim(9) }, 0o777),
      { kind: 'in-the-way', workspace, holder: { claim: { process: 9 } } },
    ],
    [
      'an earlier claim is alive',
      () => plant({ 'claim.1.json': claim(1), 'claim.2.json': claim(9) }),
      { kind: 'held', holder: { claim: { process: 1 } } },
    ],
    ['a claim of more than 2 GiB', () => huge('claim.1.json'), { kind: 'in-the-way', workspace }],
    [
      'contents that cannot be read',
      () => plant({ 'claim.1.json': claim(9), 'work.1/contents.json': '{"kind":' }),
      { kind: 'planned', leftovers: [] },
    ],
    [
      'contents that lead out of it',
      () => {
        const piece = { path: '../../../out/mine/note.txt', sha256: digestOf('note'), size: 4 }
        const contents = { kind: 'BundleInProgress', fresh: [piece], old: [piece] }
        plant({ 'claim.1.json': claim(9), 'work.1/contents.json': JSON.stringify(contents) })
        mkdirSync(join(workspace, 'work.1/new/x'), { recursive: true })
      },
      { kind: 'planned', leftovers: [/\.out\.winnode-/] },
    ],
  ]
  if (process.platform === 'win32') return
  for (const [name, make, outcome] of rows) {
    const out = await usedBundle(folder)
    make()
    const { run, die } = machine().start()
    const knowing = { run: { ...run, standingOf: standingIn({ 1: 'alive', 9: 'dead' }) }, die }
    t.match(await writeBundle(second, { out, cwd: '/' }, worldOf(fastDisk, knowing)), outcome, name)
    const planned = 'kind' in outcome && outcome.kind === 'planned'
    t.same(contentsOf(out), planned ? usedSecond : usedFirst, name)
  }
})

function standingIn(table: Readonly<Record<number, Standing>>): (claim: Claim) => Standing {
  return (claim) => table[claim.process] ?? 'unknown'
}

t.test('what a killed run left beside a folder', async (t) => {
  const folder = t.testdir()
  const out = await usedBundle(folder)
  const make = (name: string, files: Readonly<Record<string, string>>) => {
    mkdirSync(join(folder, name), { mode: 0o755 })
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, name, file), text)
  }
  const { start } = machine()
  const dead = start('dead')
  const text = JSON.stringify({ kind: 'BundleClaim', ...dead.run.claim })
  make('.out.winnode-7-empty', {})
  make('.out.winnode-7-claimed', { 'claim.1.json': text })
  make('.out.winnode-7-other', { 'claim.1.json': text, note: 'mine' })
  make('.out.winnode-7-foreign', { note: 'mine' })
  const later = { now: () => Date.now() + 3_600_000 }
  const plan = await planBundle(second, { out, cwd: '/' }, worldOf(fastDisk, start(), later))
  t.equal(plan.kind === 'planned' && plan.leftovers.length, 3, 'reading names what is not empty')
  const outcome = await writeBundle(second, { out, cwd: '/' }, worldOf(fastDisk, start(), later))
  const left = ['.out.winnode-7-foreign', '.out.winnode-7-other']
  t.same(readdirSync(folder), [...left, 'out'], 'writing removes what is empty, or only claimed')
  t.same(
    outcome.kind === 'planned' && outcome.leftovers,
    left.map((name) => join(folder, name)),
    'and names the rest',
  )
})

t.test(
  'a run that was cut off while it replaced files, and a folder that went away then',
  async (t) => {
    const folder = t.testdir()
    const { start } = machine()
    for (const moved of [false, true]) {
      const out = await usedBundle(folder)
      const dying = start()
      let count = 0
      const mortal: Disk = {
        ...fastDisk,
        rename: (from, to) => {
          fastDisk.rename(from, to)
          count += from.endsWith('README.md') ? 1 : 0
          if (count > 0) throw new Killed()
        },
      }
      const dies_ = {
        ...mortal,
        removeFile: dead,
        removeFolder: dead,
        carry: carryUntil(() => count),
      }
      await writeBundle(second, { out, cwd: '/' }, worldOf(dies_, dying)).catch(() => undefined)
      dying.die()
      t.ok(existsSync(join(folder, '.out.winnode')), 'it was cut off')
      if (moved) renameSync(out, join(folder, 'elsewhere'))
      else rmSync(out, { recursive: true })
      const outcome = await writeBundle(first, { out, cwd: '/' }, worldOf(fastDisk, start()))
      t.match(outcome, { kind: 'planned', conflicts: [] })
      t.match(contentsOf(out), textsOf(first))
      t.notOk(existsSync(join(folder, '.out.winnode')))
    }

    function dead(): void {
      throw new Killed()
    }
    function carryUntil(over: () => number): Disk['carry'] {
      return (from, to) => {
        if (over() > 0) throw new Killed()
        fastDisk.carry(from, to)
      }
    }
  },
)

t.test('a save by an editor at the last moment is not lost', async (t) => {
  const out = await usedBundle(t.testdir())
  let saved = false
  const disk: Disk = {
    ...fastDisk,
    carry: (from, to) => {
      fastDisk.carry(from, to)
      if (saved || !to.endsWith('old/README.md')) return
      saved = true
      writeFileSync(join(out, 'mine/draft'), 'precious')
      renameSync(join(out, 'mine/draft'), join(out, 'README.md'))
    },
  }
  const outcome = await writeBundle(second, { out, cwd: '/' }, worldOf(disk))
  t.match(outcome, { kind: 'planned', conflicts: [{ path: 'README.md', change: 'edited' }] })
  t.equal(readFileSync(join(out, 'README.md'), 'utf8'), 'precious')
})

t.test('a layered disk is written file by file', async (t) => {
  const out = join(t.testdir(), 'out')
  await writeBundle(first, { out, cwd: '/' }, fast)
  const before = lstatSync(out).ino
  await writeBundle(second, { out, cwd: '/' }, worldOf({ ...fastDisk, isLayered: () => true }))
  t.equal(lstatSync(out).ino, before)
  t.match(contentsOf(out), textsOf(second))
})

const rootOnly = { skip: process.getuid?.() !== 0 && 'only root gives files to others' }

t.test('root takes nothing from a user', rootOnly, async (t) => {
  const folder = t.testdir()
  const out = join(folder, 'out')
  await writeBundle(first, { out, cwd: '/' })
  for (const name of ['', ...Object.keys(contentsOf(out) ?? {})])
    chownSync(join(out, name), 1234, 1235)
  chmodSync(join(out, 'node.json'), 0o600)
  await writeBundle(second, { out, cwd: '/' })
  t.match(contentsOf(out), textsOf(second))
  for (const name of ['README.md', 'node.json', 'files/new', 'files/new/b.txt']) {
    t.equal(lstatSync(join(out, name)).uid, 1234, name)
  }
  t.match(lstatSync(join(out, 'node.json')), { gid: 1235 })
  t.equal(lstatSync(join(out, 'node.json')).mode & 0o777, 0o600)
})

t.test('mounts', async (t) => {
  const folder = realpathSync(t.testdir())
  const mounting = (...mounts: readonly string[]): Disk => ({ ...fastDisk, mounts: () => mounts })
  const at = (path: string) => join(folder, path)

  const out = await usedBundle(folder)
  await writeBundle(second, { out, cwd: '/' }, worldOf(mounting(at('out'))))
  t.same(contentsOf(out), usedSecond, 'a mount of the same disk is written from within')

  const refused = await usedBundle(folder)
  const outcome = await writeBundle(
    second,
    { out: refused, cwd: '/' },
    worldOf(mounting(at('out/files'))),
  )
  t.match(outcome, {
    kind: 'refused',
    reason: /^holds a disk at files, where files of the bundle are/,
  })
  t.same(contentsOf(refused), usedFirst)

  rmSync(out, { recursive: true })
  await writeBundle(first, { out, cwd: '/' }, fast)
  mkdirSync(join(out, 'data'))
  writeFileSync(join(out, 'data/x'), 'x')
  const before = lstatSync(out).ino
  await writeBundle(second, { out, cwd: '/' }, worldOf(mounting(at('out/data'))))
  t.match(contentsOf(out), { ...textsOf(second), 'data/x': 'x' }, 'a disk below stays')
  t.equal(lstatSync(out).ino, before)
})

const linuxOnly = { skip: process.platform !== 'linux' && 'only Linux reaches folders by handles' }

t.test('a folder that becomes a link while files are replaced', linuxOnly, async (t) => {
  const folder = t.testdir()
  const victim = join(folder, 'victim')
  for (const operation of ['carry', 'rename', 'removeFile'] as const) {
    for (let at = 1; at <= 4; at += 1) {
      const out = await usedBundle(folder)
      mkdirSync(victim)
      for (const name of ['a.txt', 'gone.txt', 'b.txt']) writeFileSync(join(victim, name), 'secret')
      mkdirSync(join(victim, 'new'))
      let count = 0
      const meddle = () => {
        count += 1
        if (count !== at || !lstatSync(join(out, 'files')).isDirectory()) return
        // As somebody would who looks on: other content, so that it is taken back, and a link.
        writeFileSync(join(out, 'README.md'), 'other')
        renameSync(join(out, 'files'), join(out, 'moved'))
        symlinkSync(victim, join(out, 'files'))
      }
      const disk: Disk = {
        ...fastDisk,
        [operation]: (...paths: [string, string]) => {
          meddle()
          fastDisk[operation](...paths)
        },
      }
      await writeBundle(second, { out, cwd: '/' }, worldOf(disk)).catch(() => undefined)
      t.same(
        contentsOf(victim),
        { 'a.txt': 'secret', 'b.txt': 'secret', 'gone.txt': 'secret', new: '/' },
        `${operation} ${at}`,
      )
    }
  }
})

t.test('rights stay, and what cannot be removed is named', async (t) => {
  const folder = t.testdir()
  if (process.platform === 'win32') return
  for (const wholly of [true, false]) {
    const out = await usedBundle(folder)
    if (wholly) {
      rmSync(out, { recursive: true })
      await writeBundle(first, { out, cwd: '/' }, fast)
    }
    chmodSync(join(out, 'node.json'), 0o600)
    await writeBundle(second, { out, cwd: '/' }, fast)
    t.equal(lstatSync(join(out, 'node.json')).mode & 0o777, 0o600)
  }
  const out = await usedBundle(folder)
  const disk: Disk = {
    ...fastDisk,
    removeFile: (path) => {
      if (path.endsWith('old/README.md')) throw systemError('EPERM', 'unlink')
      fastDisk.removeFile(path)
    },
  }
  const outcome = await writeBundle(second, { out, cwd: '/' }, worldOf(disk))
  t.match(outcome, { kind: 'planned', leftovers: [/\.out\.winnode-/] })
  t.same(contentsOf(out), usedSecond)
  const again = await writeBundle(first, { out, cwd: '/' }, fast)
  t.match(again, { kind: 'planned', leftovers: [/\.out\.winnode-/] }, 'it is in nobody’s way')
})

t.test('what changes meanwhile is not lost', async (t) => {
  const folder = t.testdir()
  const rows: readonly [
    name: string,
    meddle: (out: string) => void,
    wholly: boolean,
    found: object,
  ][] = [
    [
      'a new file in a folder of ours',
      (out) => writeFileSync(join(out, 'x'), 'x'),
      true,
      { x: 'x' },
    ],
    ['a new file among others', (out) => writeFileSync(join(out, 'x'), 'x'), false, { x: 'x' }],
    [
      'an edit',
      (out) => writeFileSync(join(out, 'README.md'), 'mine'),
      true,
      { 'README.md': 'mine' },
    ],
    [
      'an edit among others',
      (out) => writeFileSync(join(out, 'README.md'), 'mine'),
      false,
      { 'README.md': 'mine' },
    ],
    [
      'a file where a new one comes',
      (out) => writeFileSync(join(out, 'files/new/b.txt'), 'mine'),
      false,
      { 'files/new/b.txt': 'mine' },
    ],
    [
      'a link where a folder was',
      (out) => {
        renameSync(join(out, 'files'), join(out, 'moved'))
        symlinkSync('mine', join(out, 'files'))
      },
      false,
      { files: '-> mine', 'moved/new/mine.txt': 'mine' },
    ],
  ]
  for (const [name, meddle, wholly, found] of rows) {
    const out = await usedBundle(folder)
    if (wholly)
      await writeBundle(first, { out: (rmSync(out, { recursive: true }), out), cwd: '/' }, fast)
    let asked = 0
    const goOn = () => {
      asked += 1
      if (asked === 2) meddle(out)
      return Promise.resolve(true)
    }
    await writeBundle(second, { out, cwd: '/' }, worldOf(fastDisk, undefined, { goOn })).catch(
      () => undefined,
    )
    t.match(contentsOf(out), found, name)
    t.same(readdirSync(folder), ['out'], `${name}: nothing is left beside`)
  }
})

t.test('a full disk leaves everything as it was', async (t) => {
  const folder = t.testdir()
  for (const at of [1, 2, 3, 4, 5]) {
    const out = await usedBundle(folder)
    await t.rejects(writeBundle(second, { out, cwd: '/' }, worldOf(fullDisk(at))), {
      message: `cannot write ${out}: the disk is full; ${out} is as it was`,
      code: 'ENOSPC',
      syscall: 'write',
    })
    t.same(contentsOf(out), usedFirst)
    t.same(readdirSync(folder), ['out'])
  }
  const out = await usedBundle(folder)
  const failing = (code: string, syscall: string) => () => {
    throw systemError(code, syscall)
  }
  const errors: readonly [operation: Partial<Disk>, message: string | RegExp][] = [
    [
      { rename: failing('EBUSY', 'rename') },
      `cannot write ${out}: it is in use: a program has it open, or a disk is mounted there; ${out} is as it was`,
    ],
    [
      { makeFolder: failing('EWHAT', 'mkdir') },
      `cannot write ${out}: EWHAT: mkdir; ${out} is as it was`,
    ],
    [
      { write: failing('EDQUOT', 'write') },
      `cannot write ${out}: the quota of the disk is used up; ${out} is as it was`,
    ],
    [
      { carry: failing('EROFS', 'link') },
      `cannot write ${out}: the disk is read-only; ${out} is as it was`,
    ],
    [
      {
        makeFolder: () => {
          throw new TypeError('a bug')
        },
      },
      'a bug',
    ],
  ]
  for (const [operation, message] of errors) {
    const world = worldOf({ ...fastDisk, ...operation })
    await t.rejects(writeBundle(second, { out, cwd: '/' }, world), { message })
    t.same(contentsOf(out), usedFirst)
    t.same(readdirSync(folder), ['out'])
  }
  await t.rejects(writeBundle(second, { out: join(folder, 'x'.repeat(250)), cwd: '/' }, fast), {
    message: /the name is too long; nothing was written$/,
  })
})

t.test('a change that fails is taken back, or completed by the next run', async (t) => {
  const folder = t.testdir()
  for (const stuck of [false, true]) {
    for (let at = 1; ; at += 1) {
      const out = await usedBundle(folder)
      const { start } = machine()
      const process_ = start()
      let count = 0
      const fails = () => {
        count += 1
        if (count === at || (stuck && count > at)) throw systemError('EIO', 'rename')
      }
      const inOut = (path: string) => realpathSync(join(path, '..')).startsWith(out)
      const disk: Disk = {
        ...fastDisk,
        rename: (from, to) => {
          if (inOut(to)) fails()
          fastDisk.rename(from, to)
        },
        carry: (from, to) => {
          if (inOut(to)) fails()
          fastDisk.carry(from, to)
        },
        removeFile: (path) => {
          if (inOut(path)) fails()
          fastDisk.removeFile(path)
        },
      }
      const outcome = await writeBundle(second, { out, cwd: '/' }, worldOf(disk, process_)).catch(
        (error: unknown) => (error instanceof Error ? error.message : error),
      )
      if (typeof outcome !== 'string') {
        t.ok(at > 4, `${at - 1} changes`)
        break
      }
      const part = outcome.includes('holds a part')
      if (!stuck) t.match(outcome, /EIO: rename; .*out is as it was$/)
      if (!part) t.same(contentsOf(out), usedFirst, `${at}: as it was`)
      process_.die()
      const plan = await planBundle(second, { out, cwd: '/' }, worldOf(fastDisk, start()))
      t.match(plan, { kind: 'planned', conflicts: [] }, `${at}: no file is taken for somebody’s`)
      await writeBundle(second, { out, cwd: '/' }, worldOf(fastDisk, start()))
      t.same(contentsOf(out), usedSecond, `${at}: completed`)
      t.same(readdirSync(folder), ['out'])
    }
  }
})

/** Left by a run that died before its workspace had a name, or after; it is in nobody’s way. */
const litter = /^\/deep\/\.out\.winnode-[\w-]+(\/claim\.\d+\.json)?$/

function withoutLitter(memory: Memory): Memory {
  return new Map([...memory].filter(([path]) => !litter.test(path)))
}

t.test('a crash at any moment leaves the old bundle or the new one', async (t) => {
  const request = { out: '/deep/out', cwd: '/nowhere' }
  const others = ['/deep/out/mine', '/deep/out/mine/empty']
  const rows: readonly [name: string, prepare: (disk: Disk) => Promise<void>, foreign: boolean][] =
    [
      ['where nothing was', () => Promise.resolve(), false],
      [
        'where a bundle was',
        async (disk) => {
          await writeBundle(first, request, worldOf(disk, machine(0).start()))
        },
        false,
      ],
      [
        'where a bundle was among other things',
        async (disk) => {
          await writeBundle(first, request, worldOf(disk, machine(0).start()))
          for (const folder of others) disk.makeFolder(folder)
          disk.write('/deep/out/mine/note.txt', utf8('note'))
          disk.write('/deep/out/files/more.txt', utf8('more'))
        },
        true,
      ],
    ]
  for (const [name, prepare, foreign] of rows) {
    const memory: Memory = new Map([['/', undefined]])
    await prepare(memoryDisk(memory))
    const old = rememberedIn(memory, request.out)
    const copy: Memory = new Map(memory)
    const whole = mortalDisk(memoryDisk(copy))
    await writeBundle(second, request, worldOf(whole, machine(0).start()))
    const done = rememberedIn(copy, '/')
    const faults: string[] = []
    const settle = async (
      crashed: Memory,
      { start }: ReturnType<typeof machine>,
      moment: string,
    ) => {
      const before = rememberedIn(crashed, '/')
      const plan = await planBundle(second, request, worldOf(memoryDisk(crashed), start()))
      if (plan.kind !== 'planned' || plan.conflicts.length > 0)
        faults.push(`${moment}: ${plan.kind}`)
      if (rememberedIn(crashed, '/') !== before) faults.push(`${moment}: reading changed something`)
      // Where all is ours, the folder that is read is whole at every moment.
      if (plan.kind === 'planned' && !foreign) {
        const found = rememberedIn(crashed, plan.folder)?.replaceAll(plan.folder, request.out)
        const states = [old, rememberedIn(copy, request.out)]
        if (!states.includes(found)) faults.push(`${moment}: half a bundle`)
      }
      await writeBundle(second, request, worldOf(memoryDisk(crashed), start()))
      const end = rememberedIn(withoutLitter(crashed), '/')
      if (end !== done) faults.push(`${moment}: the end`)
    }
    for (let at = 1; at <= whole.count(); at += 1) {
      for (const death of ['before', 'torn', 'after'] as const) {
        const processes = machine(0)
        const crashed: Memory = new Map(memory)
        const victim = processes.start()
        const disk = mortalDisk(memoryDisk(crashed), at, death)
        const died = await dies(() => writeBundle(second, request, worldOf(disk, victim)))
        if (!died) faults.push(`${at}: lives`)
        victim.die()
        await settle(new Map(crashed), processes, `${death} ${at}`)
        if (death !== 'before') continue
        for (let later = 1 + (at % 4); ; later += 4) {
          const again: Memory = new Map(crashed)
          const heir = processes.start()
          const repairer = mortalDisk(memoryDisk(again), later, 'after')
          const diedToo = await dies(() => writeBundle(second, request, worldOf(repairer, heir)))
          heir.die()
          await settle(again, processes, `${death} ${at}, then ${later}`)
          if (!diedToo) break
        }
      }
    }
    t.same(faults.slice(0, 10), [], `${name}: ${whole.count()} moments`)
    t.ok(whole.count() > 8)
  }
})

async function dies(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return false
  } catch (error) {
    if (error instanceof Killed) return true
    throw error
  }
}

const posixOnly = { skip: process.platform === 'win32' && 'Windows has no SIGKILL' }

t.test('a killed process leaves a whole bundle', posixOnly, async (t) => {
  const folder = t.testdir()
  const script = join(folder, 'writer.mjs')
  await build({
    entryPoints: [fileURLToPath(new URL('fixtures/io/endless-writer.ts', import.meta.url))],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
  })
  const kill = async (delay: number, foreign: boolean) => {
    const parent = join(folder, `after-${delay}`)
    const out = join(parent, 'out')
    if (foreign) {
      mkdirSync(out, { recursive: true })
      writeFileSync(join(out, 'mine'), 'mine')
    }
    const child = spawn(process.execPath, [script, out], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    await sleep(delay)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const plan = await planBundle(first, { out, cwd: '/' })
    t.equal(plan.kind, 'planned')
    if (plan.kind === 'planned' && !foreign) {
      const found = contentsOf(plan.folder) ?? {}
      t.ok(['odd', 'even'].includes(found['a.txt'] ?? ''), `after ${delay} ms`)
      t.equal(found['files/b.txt'], found['a.txt'], 'all files are from one bundle')
    }
    await writeBundle(first, { out, cwd: '/' }, realWorld())
    const names = contentsOf(out) ?? {}
    if (foreign) t.equal(names['mine'], 'mine')
    t.match(names, textsOf(first), 'the next run completes it')
    const beside = readdirSync(parent).filter((name) => !name.startsWith('.out.winnode-'))
    t.same(beside, ['out'], 'nothing is left beside it')
  }
  await Promise.all([0, 3, 7].map((delay) => kill(delay, false)))
  await Promise.all([1, 4, 8].map((delay) => kill(delay, true)))
})

t.test('the real disk', async (t) => {
  const folder = t.testdir({ a: { file: 'x' } })
  const at = (path: string) => join(folder, path)
  realDisk.makeFolder(at('b'), { mode: 0o750 })
  realDisk.makeFolder(at('c'))
  realDisk.carry(at('a/file'), at('b/file'))
  t.equal(readFileSync(at('b/file'), 'utf8'), 'x')
  t.throws(() => realDisk.write(at('b/file'), utf8('y')), { code: 'EEXIST' })
  t.throws(() => realDisk.carry(at('a/file'), at('b/file')), { code: 'EEXIST' })
  t.equal(realDisk.look(at('nowhere')), undefined)
  t.equal(realDisk.look(at('a/file/below')), undefined)
  t.match(realDisk.look(at('a/file')), { kind: 'file', size: 1 })
  t.equal(realDisk.mayChange(at('a')), true)
  t.equal(realDisk.mayChange(at('nowhere')), false)
  if (process.platform === 'win32') return
  t.equal((realDisk.look(at('b'))?.mode ?? 0) & 0o777, 0o750)
  t.equal(realDisk.look('/dev/null')?.kind, 'other')
  const shm = '/dev/shm'
  if (!existsSync(shm) || realDisk.look(shm)?.device === realDisk.look(folder)?.device) return
  const far = join(shm, `winnode-test-${process.pid}`)
  t.teardown(() => rmSync(far, { force: true }))
  realDisk.carry(at('a/file'), far)
  t.equal(readFileSync(far, 'utf8'), 'x', 'carried to another disk')
})

t.test('a diff says what writing would change', async (t) => {
  const out = await usedBundle(t.testdir())
  const request = { out, cwd: '/' }
  const files = bundleOf({
    'README.md': 'two\n',
    'files/a.txt': 'a1',
    bin: '\0',
    large: 'x',
    'lines.txt': 'a\nb\n',
  })
  writeFileSync(join(out, 'bin'), 'x')
  writeFileSync(join(out, 'large'), '')
  truncateSync(join(out, 'large'), 2 ** 31 + 1)
  writeFileSync(join(out, 'lines.txt'), 'a\r\nb\r\n')
  writeFileSync(join(out, 'files/a.txt'), Uint8Array.from([0xff]))
  const plan = await planBundle(files, request)
  const diffs = await diffBundle(files, plan.kind === 'planned' ? plan.changes : [], out, {
    created: true,
  })
  const texts = Object.fromEntries(diffs.map(({ path, text }) => [path, text]))
  t.equal(
    texts['README.md'],
    'diff --git a/README.md b/README.md\n--- a/README.md\n+++ b/README.md\n@@ -1,1 +1,1 @@\n-one\n\\ No newline at end of file\n+two\n',
  )
  t.equal(texts['bin'], 'diff --git a/bin b/bin\nBinary files a/bin and b/bin differ\n')
  t.equal(texts['large'], 'diff --git a/large b/large\nBinary files a/large and b/large differ\n')
  t.equal(
    texts['files/a.txt'],
    'diff --git a/files/a.txt b/files/a.txt\nBinary files a/files/a.txt and b/files/a.txt differ\n',
  )
  t.equal(
    texts['lines.txt'],
    'diff --git a/lines.txt b/lines.txt\nLine endings of a/lines.txt and b/lines.txt differ\n',
  )
  t.match(
    texts['old/x.txt'],
    /^diff --git a\/old\/x.txt b\/old\/x.txt\ndeleted file mode 100644\n--- a\/old\/x.txt\n\+\+\+ \/dev\/null\n/,
  )
  t.notOk('mine/note.txt' in texts)
  const created = await diffBundle(files, [{ path: 'lines.txt', change: 'create' }], out, {
    created: true,
  })
  t.match(created, [
    {
      text: /^diff --git a\/lines.txt b\/lines.txt\nnew file mode 100644\n--- \/dev\/null\n\+\+\+ b\/lines.txt\n@@ -0,0 \+1,2 @@\n\+a\n\+b\n$/,
    },
  ])
  const named = await diffBundle(files, [{ path: 'lines.txt', change: 'create' }], out, {
    created: false,
  })
  t.match(named, [{ text: ' create mode 100644 lines.txt\n' }], 'by its name only')

  const numbered = (count: number, step: number) =>
    Array.from({ length: count }, (_, at) => `line ${at * step}\n`).join('')
  const rows: readonly (readonly [old: string, fresh: string, hunk: string])[] = [
    [numbered(9, 1), numbered(9, 1).replace('4', 'four'), '@@ -2,7 +2,7 @@'],
    [numbered(40_000, 1), numbered(30_000, -1), '@@ -1,40000 +1,30000 @@'],
    [`${numbered(2000, 1)}\\ No newline at end of file`, numbered(9, -1), '@@ -1,2001 +1,9 @@'],
  ]
  const began = process.cpuUsage().user
  for (const [old, fresh, hunk] of rows) {
    writeFileSync(join(out, 'lines.txt'), old)
    const change = { path: 'lines.txt', change: 'replace' } as const
    const [diff] = await diffBundle(bundleOf({ 'lines.txt': fresh }), [change], out, {
      created: true,
    })
    const text = diff?.text ?? ''
    t.equal(/^@@.*$/m.exec(text)?.[0], hunk, 'as git shows it')
    t.equal(applyPatch(old, text), fresh, `${hunk}: what it says is what would be there`)
  }
  t.ok(process.cpuUsage().user - began < 5e6, 'also where nearly all of it differs')
})
