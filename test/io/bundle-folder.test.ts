// The folder of a bundle: it keeps its owner, rights, links and mounts, whatever somebody does there meanwhile.
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { writeBundle } from '../../src/io/bundle.ts'
import type { Disk } from '../../src/io/bundle/disk.ts'
import { contentsOf, textsOf } from './bundles.ts'
import { fastDisk, systemError } from './disks.ts'
import { worldOf } from './worlds.ts'
import { fast, first, second, usedBundle, usedFirst, usedSecond } from './used-bundle.ts'

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
