// How bundles reach the disk: as a whole or not at all, and without touching what is not ours.
import fs, {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import { planBundle, writeBundle } from '../../src/io/bundle.ts'
import { isSame } from '../../src/io/bundle/plan-changes.ts'
import { bundleOf, bytes, contentsOf, textsOf } from './bundles.ts'
import { mortal, withDisk } from './disks.ts'
import {
  first,
  plainBundle,
  plainFirst,
  second,
  usedBundle,
  usedFirst,
  usedSecond,
} from './used-bundle.ts'

t.test('a bundle is written as a whole', async (t) => {
  const folder = t.testdir()
  const out = join(folder, 'deep/er/out')
  const plan = await writeBundle(first, { out, cwd: '/' })
  t.match(plan, { kind: 'planned', conflicts: [], leftovers: [] })
  t.strictSame(contentsOf(out), { ...textsOf(first), files: '/', old: '/' })
  t.strictSame(readdirSync(join(folder, 'deep/er')), ['out'])

  const used = await usedBundle(join(folder, 'used'))
  t.strictSame(contentsOf(used), usedFirst)
  const again = await writeBundle(second, { out: 'used/out', cwd: folder })
  t.strictSame(again.kind === 'planned' && again.changes, [
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
  t.strictSame(contentsOf(used), usedSecond)
  t.strictSame(readdirSync(join(folder, 'used')), ['out'])
})

t.test('parents that another run removes meanwhile are made again', async (t) => {
  const folder = t.testdir()
  let removals = 0
  const goOn = () => {
    removals += 1
    if (removals === 1) rmSync(join(folder, 'deep'), { recursive: true })
    return Promise.resolve(true)
  }
  const plan = await writeBundle(
    first,
    { out: 'deep/er/out', cwd: folder },
    { shouldContinue: goOn },
  )
  t.match(plan, { kind: 'planned', conflicts: [] })
  t.strictSame(contentsOf(join(folder, 'deep/er/out')), { ...textsOf(first), files: '/', old: '/' })
})

t.test('what is the same is not touched', async (t) => {
  const out = await usedBundle(t.testdir())
  const { count } = await mortal(() => writeBundle(first, { out, cwd: '/' }))
  t.equal(count, 0)
  const plan = await writeBundle(first, { out, cwd: '/' })
  t.ok(plan.kind === 'planned' && plan.changes.every(({ change }) => /same|keep/.test(change)))
})

t.test('files made or changed by hand are not overwritten', async (t) => {
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
    [
      'a file of the bundle was modified',
      spoil('README.md', 'mine'),
      second,
      ['README.md edited'],
      [],
    ],
    ['an edit that render would make too', spoil('README.md', 'two'), second, [], []],
    ['a file of the bundle was deleted', (out) => rmSync(join(out, 'README.md')), second, [], []],
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
      'node.json was modified',
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
      'a file of the bundle that grew beyond 2 GiB',
      (out) => truncateSync(join(out, 'README.md'), 2 ** 31 + 1),
      second,
      ['README.md edited'],
      [],
    ],
    [
      'a file of the bundle becomes a folder',
      () => undefined,
      bundleOf({ 'README.md/x': '1' }),
      [],
      [],
    ],
    ['a folder of the bundle becomes a file', () => undefined, bundleOf({ old: '1' }), [], []],
  ]
  for (const [name, change, files, conflicts, forced] of rows) {
    const said = async (force: boolean) => {
      const out = await usedBundle(folder)
      change(out)
      const before = contentsOf(out)
      const plan = await writeBundle(files, { out, cwd: '/', force })
      if (plan.kind !== 'planned') return [plan.kind]
      t.strictSame(readdirSync(folder), ['out'], `${name}: nothing is left beside`)
      if (plan.conflicts.length > 0)
        t.strictSame(contentsOf(out), before, `${name}: nothing written`)
      else t.match(contentsOf(out), textsOf(files), `${name}: written`)
      return plan.conflicts.map((one) => `${one.path} ${one.change}`)
    }
    t.strictSame(await said(false), conflicts, name)
    t.strictSame(await said(true), forced, `${name}, by force`)
  }
  const kept = await usedBundle(folder)
  writeFileSync(join(kept, 'old/x.txt'), 'mine')
  await writeBundle(second, { out: kept, cwd: '/', force: true })
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
  for (let at = 0; at <= 10_000; at += 1) writeFileSync(join(folder, 'full', String(at)), '')
  const own = 'is the current folder, or holds it; a bundle needs a separate folder'
  const rows: readonly [out: string, reason: string][] = [
    ['/', 'is the root of a disk'],
    ['.', own],
    ['..', own],
    ['', own],
    ['../caf\ufffd', 'has a name that is not UTF-8'],
    ['../link', 'is a link'],
    ['../file', 'is not a folder'],
    ['../file/a/b', `cannot be made: ${join(folder, 'file')} is not a folder`],
    ['../full', 'holds more than 10000 files; a bundle needs a separate folder'],
  ]
  for (const [out, reason] of rows) {
    const request = { out, cwd: join(folder, 'cwd') }
    const outcome = await writeBundle(first, request)
    t.strictSame(outcome, { kind: 'refused', reason }, out || 'no name')
  }
  await t.rejects(planBundle([{ path: '../x', content: bytes('') }], { out: 'x', cwd: folder }))
})

t.test('no bundle is in another one', async (t) => {
  const folder = t.testdir({ cwd: {}, link: t.fixture('symlink', 'outer/with') })
  const cwd = join(folder, 'cwd')
  const outer = join(folder, 'outer')
  const at = (out: string) => ({ out, cwd, force: true })
  await writeBundle(bundleOf({ 'with/a.txt': 'one' }), at('../outer'))
  const before = contentsOf(outer)
  const inside = `is inside ${outer}, which holds a bundle; a bundle needs a separate folder`
  for (const out of ['../outer/inner', '../outer/with', '../outer/x/y', '../link/z'])
    t.strictSame(await writeBundle(first, at(out)), { kind: 'refused', reason: inside }, out)
  t.strictSame(contentsOf(outer), before)
  await writeBundle(first, at('../many/a'))
  await writeBundle(first, at('../many/b/c'))
  t.match(await writeBundle(second, at('../many/a')), { kind: 'planned' }, 'beside another')
  const many = contentsOf(join(folder, 'many'))
  const holds = 'holds another bundle, in a; a bundle needs a separate folder'
  for (const files of [first, bundleOf({ 'a/README.md': 'mine' })])
    t.strictSame(await writeBundle(files, at('../many')), { kind: 'refused', reason: holds })
  const over = await planBundle(bundleOf({ 'a/node.json': 'x', 'b/c/node.json': 'x' }), {
    out: '../many',
    cwd,
  })
  t.match(over, {
    conflicts: [
      { path: 'a/node.json', change: 'foreign' },
      { path: 'b/c/node.json', change: 'foreign' },
    ],
  })
  t.strictSame(contentsOf(join(folder, 'many')), many)
  const staged = '.winnode-00000000-1-1-1/new'
  await writeBundle(first, at('../killed'))
  renameSync(join(folder, 'killed'), join(folder, 'new'))
  mkdirSync(join(folder, 'killed', '.winnode-00000000-1-1-1'), { recursive: true })
  renameSync(join(folder, 'new'), join(folder, 'killed', staged))
  t.match(await writeBundle(first, at('../killed')), { kind: 'planned' }, 'of a run elsewhere')
  t.ok(existsSync(join(folder, 'killed', staged, 'node.json')))
  const whole = bundleOf({ 'in/node.json': new TextDecoder().decode(first.at(-1)?.content) })
  for (const files of [whole, second, second])
    t.match(await writeBundle(files, at('../whole')), { kind: 'planned' }, 'a bundle that it wrote')
})

t.test('a copy of a manifest is no bundle', async (t) => {
  const folder = t.testdir({ cwd: {} })
  const request = { out: '../copies/out', cwd: join(folder, 'cwd') }
  await writeBundle(first, request)
  for (const name of ['copies', 'copies/out/more'])
    cpSync(join(folder, 'copies/out/node.json'), join(folder, name, 'node.json'))
  t.match(await writeBundle(second, request), { kind: 'planned' })
})

t.test('what this user cannot read is no bundle', async (t) => {
  const folder = t.testdir({ 'node.json': '{}', many: { a: { 'node.json': '{}' } } })
  for (const name of ['node.json', 'many/a/node.json']) chmodSync(join(folder, name), 0)
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  try {
    const plan = await planBundle(first, { out: 'many', cwd: folder })
    const kept = plan.kind === 'planned' && plan.changes.filter(({ change }) => change === 'keep')
    t.strictSame(kept, [{ path: 'a/node.json', change: 'keep' }])
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
})

t.test('only a manifest that this user must not read is no bundle', async (t) => {
  const folder = t.testdir({ above: { 'node.json': '{}' } })
  const { openSync } = fs
  t.teardown(() => {
    fs.openSync = openSync
    syncBuiltinESMExports()
  })
  const planned = (code: string) => {
    fs.openSync = (path, ...more) => {
      if (String(path).endsWith('above/node.json')) throw Object.assign(new Error(code), { code })
      return openSync(path, ...more)
    }
    syncBuiltinESMExports()
    return planBundle(first, { out: 'above/out', cwd: folder })
  }
  // Windows, and macOS for protected folders, answer EPERM.
  for (const code of ['EACCES', 'EPERM']) t.match(await planned(code), { kind: 'planned' }, code)
  await t.rejects(planned('EIO'), { code: 'EIO' })
})

t.test('a name in another case is in the way where the disk finds it', async (t) => {
  const folder = t.testdir()
  const out = await usedBundle(folder)
  renameSync(join(out, 'README.md'), join(out, 'readme.MD'))
  const plan = await writeBundle(second, { out, cwd: '/' })
  t.match(plan, { kind: 'planned', conflicts: [] }, 'here, it is another file')
  t.strictSame(contentsOf(out), { ...usedSecond, 'readme.MD': 'one' })
})

t.test('names of others are left alone', async (t) => {
  const folder = t.testdir()
  for (const name of [
    '.out.winnode',
    '.out.new',
    '.out.old',
    '.out.winnode-mine',
    '.out.winnode.locked',
  ]) {
    for (const prepare of [plainBundle, usedBundle]) {
      const out = await prepare(folder)
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 'new'), 'mine')
      t.match(await writeBundle(second, { out, cwd: '/' }), { kind: 'planned', leftovers: [] })
      t.equal(readFileSync(join(folder, name, 'new'), 'utf8'), 'mine', name)
      t.match(contentsOf(out), textsOf(second))
    }
  }
})

t.test('reading changes nothing', async (t) => {
  const folder = t.testdir()
  for (const there of ['a bundle', 'a bundle with other things', 'nothing']) {
    const out = await (there === 'a bundle' ? plainBundle : usedBundle)(folder)
    if (there === 'nothing') rmSync(out, { recursive: true })
    const { count } = await mortal(() => planBundle(second, { out, cwd: '/' }))
    t.equal(count, 0, there)
  }
})

const posixOnly = { skip: process.platform === 'win32' && 'Windows has other rights' }

t.test('what a folder keeps', posixOnly, async (t) => {
  const folder = t.testdir()
  const latin = Buffer.concat([
    Buffer.from(`${join(folder, 'out')}/`),
    Buffer.from('caf\xe9', 'latin1'),
  ])
  const rows: readonly [
    name: string,
    prepare: (out: string) => void,
    kept: (out: string) => unknown,
  ][] = [
    [
      'a file of the user',
      (out) => writeFileSync(join(out, 'x'), 'x'),
      (out) => lstatSync(out).ino,
    ],
    [
      'a name that is not UTF-8',
      () => writeFileSync(latin, 'x'),
      (out) => [readFileSync(latin, 'utf8'), lstatSync(out).ino],
    ],
    ['closed rights', (out) => chmodSync(out, 0o700), (out) => lstatSync(out).mode],
    [
      'a closed file',
      (out) => chmodSync(join(out, 'node.json'), 0o600),
      (out) => lstatSync(join(out, 'node.json')).mode,
    ],
  ]
  for (const [name, prepare, kept] of rows) {
    const out = await plainBundle(folder)
    prepare(out)
    const before = kept(out)
    await writeBundle(second, { out, cwd: '/' })
    t.match(contentsOf(out), textsOf(second), name)
    t.strictSame(kept(out), before, `${name} stays`)
    t.strictSame(readdirSync(folder), ['out'], `${name}: nothing is left beside`)
  }
})

t.test('the folder around is closed, or another disk', async (t) => {
  const folder = t.testdir()
  if (process.getuid?.() === 0 || process.platform === 'win32') {
    t.comment('root may write anywhere')
    return
  }
  const out = await usedBundle(folder)
  chmodSync(folder, 0o500)
  const plan = await writeBundle(second, { out, cwd: '/' })
  chmodSync(folder, 0o700)
  t.match(plan, { kind: 'planned', conflicts: [] })
  t.strictSame(contentsOf(out), usedSecond)
})

t.test('a file that was modified in place is another one, although its size is the same', (t) => {
  const file = join(t.testdir({ file: 'one' }), 'file')
  utimesSync(file, 1, 1)
  const before = lstatSync(file)
  t.ok(isSame(lstatSync(file), before))
  writeFileSync(file, 'two')
  t.notOk(isSame(lstatSync(file), before))
  t.end()
})

t.test('what changes meanwhile is not lost', async (t) => {
  const folder = t.testdir()
  const x = (out: string) => writeFileSync(join(out, 'x'), 'x')
  const edit = (out: string) => writeFileSync(join(out, 'README.md'), 'mine')
  const save = (out: string) => {
    writeFileSync(join(out, 'draft'), 'mine')
    renameSync(join(out, 'draft'), join(out, 'README.md'))
  }
  const linked = (out: string) => {
    renameSync(join(out, 'files'), join(out, 'moved'))
    symlinkSync('mine', join(out, 'files'))
  }
  const rows: readonly [
    name: string,
    meddle: (out: string) => void,
    used: boolean,
    found: object,
  ][] = [
    ['a new file in a folder of the bundle', x, false, { x: 'x', ...textsOf(second) }],
    ['a new file among others', x, true, { x: 'x', ...textsOf(second) }],
    ['an edit', edit, false, { ...plainFirst, 'README.md': 'mine' }],
    ['an edit among others', edit, true, { ...usedFirst, 'README.md': 'mine' }],
    ['a file that an editor saves', save, true, { ...usedFirst, 'README.md': 'mine' }],
    [
      'a file where a new one comes',
      (out) => writeFileSync(join(out, 'files/new/b.txt'), 'mine'),
      true,
      { ...usedFirst, 'files/new/b.txt': 'mine' },
    ],
    ['a link where a folder was', linked, true, { files: '-> mine', 'moved/new/mine.txt': 'mine' }],
  ]
  for (const [name, meddle, used, found] of rows) {
    const out = await (used ? usedBundle : plainBundle)(folder)
    let asked = 0
    const goOn = () => {
      asked += 1
      if (asked === 2) meddle(out)
      return Promise.resolve(true)
    }
    await writeBundle(second, { out, cwd: '/' }, { shouldContinue: goOn })
    t.match(contentsOf(out), found, name)
    t.strictSame(readdirSync(folder), ['out'], `${name}: nothing is left beside`)
  }
})

t.test('a link is not followed out of the folder', posixOnly, async (t) => {
  const folder = t.testdir()
  const victim = join(folder, 'victim')
  const secrets = { 'a.txt': 'a1', 'b.txt': 'secret', 'gone.txt': 'g', new: '/' }
  /** The folder becomes a link between any two changes of the disk, and back again or not. */
  for (const prepare of [plainBundle, usedBundle]) {
    for (const away of ['files', 'out']) {
      for (let at = 1; ; at += 1) {
        const out = await prepare(folder)
        mkdirSync(join(victim, 'new'), { recursive: true })
        for (const [name, text] of Object.entries(secrets))
          if (text !== '/') writeFileSync(join(victim, name), text)
        const place = away === 'out' ? out : join(out, away)
        let count = 0
        await withDisk(
          (_name, _args, go) => {
            count += 1
            if (count === at && existsSync(place)) {
              renameSync(place, join(folder, 'moved'))
              symlinkSync(victim, place)
            }
            return go()
          },
          () => writeBundle(second, { out, cwd: '/' }),
        ).catch(() => undefined)
        t.strictSame(contentsOf(victim), secrets, `${away}, change ${at}`)
        if (count < at) break
      }
    }
  }
})
