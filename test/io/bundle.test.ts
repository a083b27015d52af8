// How bundles reach the disk: as a whole or not at all, and without touching what is not ours.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { applyPatch } from 'diff'
import t from 'tap'
import type { Written } from '../../src/io/bundle.ts'
import { planBundle, writeBundle } from '../../src/io/bundle.ts'
import { diffBundle } from '../../src/io/bundle-diff.ts'
import type { WriteRequest } from '../../src/io/bundle/survey.ts'
import type { Disk } from '../../src/io/bundle/disk.ts'
import { realDisk } from '../../src/io/bundle/disk.ts'
import { bundleOf, bytes, contentsOf, textsOf } from './bundles.ts'
import { fastDisk, foldingDisk, mortalDisk } from './disks.ts'
import { worldOf } from './worlds.ts'
import { fast, first, second, usedBundle, usedFirst, usedSecond } from './used-bundle.ts'

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

t.test('a name in another case is ours where the disk finds it', async (t) => {
  const folder = t.testdir()
  const folding = worldOf(foldingDisk(fastDisk))
  const respell = (out: string) => {
    for (const [path, other] of [
      ['node.json', 'Node.json'],
      ['old', 'OLD'],
      ['files/a.txt', 'files/A.TXT'],
      ['files', 'Files'],
    ] as const)
      renameSync(join(out, path), join(out, other))
  }
  const folded = (contents: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(contents).map(([name, text]) => [name.toLowerCase(), text]))
  for (const crowded of [true, false]) {
    const out = await usedBundle(folder)
    if (!crowded) rmSync(out, { recursive: true })
    await writeBundle(first, { out, cwd: '/' }, fast)
    respell(out)
    const before = contentsOf(out)
    t.match(await writeBundle(first, { out, cwd: '/' }, folding), {
      kind: 'planned',
      conflicts: [],
    })
    t.same(contentsOf(out), before, 'what is the same is not touched')
    const plan = await writeBundle(second, { out, cwd: '/' }, folding)
    t.match(plan, { kind: 'planned', conflicts: [] })
    const wanted = crowded ? usedSecond : { ...textsOf(second), files: '/', 'files/new': '/' }
    t.same(folded(contentsOf(out)), folded(wanted), crowded ? 'among other things' : 'alone')
  }

  const apart = await usedBundle(folder)
  respell(apart)
  const plan = await planBundle(second, { out: apart, cwd: '/' }, fast)
  t.match(plan, { conflicts: [{ path: 'README.md', change: 'foreign' }] }, 'and nowhere else')

  const taken = await usedBundle(folder)
  for (const name of ['files/new', 'files/a.txt', 'files/gone.txt'])
    rmSync(join(taken, name), { recursive: true })
  rmdirSync(join(taken, 'files'))
  writeFileSync(join(taken, 'FILES'), 'mine')
  const blocked = await writeBundle(second, { out: taken, cwd: '/', force: true }, folding)
  t.match(blocked, { conflicts: [{ path: 'files/a.txt' }, { path: 'files/new/b.txt' }] })
  t.equal(readFileSync(join(taken, 'FILES'), 'utf8'), 'mine', 'a file of somebody stays')
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
  await t.rejects(planBundle([{ path: '../x', content: bytes('') }], { out: 'x', cwd: folder }))
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

t.test('the real disk', async (t) => {
  const folder = t.testdir({ a: { file: 'x' } })
  const at = (path: string) => join(folder, path)
  realDisk.makeFolder(at('b'), { mode: 0o750 })
  realDisk.makeFolder(at('c'))
  realDisk.carry(at('a/file'), at('b/file'))
  t.equal(readFileSync(at('b/file'), 'utf8'), 'x')
  t.throws(() => realDisk.write(at('b/file'), bytes('y')), { code: 'EEXIST' })
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
    'diff --git a/README.md b/README.md\n--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-one\n\\ No newline at end of file\n+two\n',
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
    [numbered(9, 1), numbered(9, 1).replace('4', 'four'), '@@ -2,7 +2,7 @@ line 0'],
    ['', 'a\n', '@@ -0,0 +1 @@'],
    ['a\n', 'a\rb\n', '@@ -1 +1 @@'],
    ['a\n', 'a\nb\n', '@@ -1 +1,2 @@'],
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

t.test('a diff of much has as many hunks as there are places', async (t) => {
  const out = t.testdir({ text: '' })
  const lines = (count: number, of: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => `${of(at)}\n`).join('')
  const numbered = lines(20_000, (at) => `line ${at}`)
  const rows: readonly (readonly [name: string, fresh: string, hunks: number, signs: number])[] = [
    ['edits all over', lines(20_000, (at) => `${at % 13 ? 'line' : 'edited'} ${at}`), 1539, 3078],
    ['halves that changed places', lines(20_000, (at) => `line ${(at + 1e4) % 2e4}`), 2, 20_000],
    ['other lines', lines(20_000, (at) => `row ${at}`), 1, 40_000],
    ['lines that are the same', lines(20_000, (at) => `line ${at % 2}`), 1, 39_996],
  ]
  writeFileSync(join(out, 'text'), numbered)
  for (const [name, fresh, hunks, signs] of rows) {
    const change = { path: 'text', change: 'replace' } as const
    const files = bundleOf({ text: fresh })
    const [{ text } = { text: '' }] = await diffBundle(files, [change], out, { created: true })
    t.equal(text.match(/^@@ /gm)?.length, hunks, name)
    t.equal((text.match(/^[-+](?!--|\+\+)/gm) ?? []).length, signs, `${name}: lines`)
    t.equal(applyPatch(numbered, text), fresh, `${name}: what it says is what would be there`)
  }
})

t.test('a diff has the names, heads and empty files of git', async (t) => {
  const head = 'function Set-All {\n'
  const body = (last: string) => `${head}${'  a\n'.repeat(5)}  ${last}\n}\n`
  const rows: readonly (readonly [
    path: string,
    old: string | undefined,
    fresh: string | undefined,
    text: string,
  ])[] = [
    ['x', undefined, '', 'diff --git a/x b/x\nnew file mode 100644\n'],
    ['x', '', undefined, 'diff --git a/x b/x\ndeleted file mode 100644\n'],
    ['x y', 'a\n', '', 'diff --git a/x y b/x y\n--- a/x y\t\n+++ b/x y\t\n@@ -1 +0,0 @@\n-a\n'],
    [
      'x"\té\\',
      undefined,
      'b\n',
      String.raw`diff --git "a/x\"\t\303\251\\" "b/x\"\t\303\251\\"
new file mode 100644
--- /dev/null
+++ "b/x\"\t\303\251\\"
@@ -0,0 +1 @@
+b
`,
    ],
    [
      'x',
      body('b'),
      body('c'),
      'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -4,5 +4,5 @@ function Set-All {\n   a\n   a\n   a\n-  b\n+  c\n }\n',
    ],
  ]
  for (const [path, old, fresh, wanted] of rows) {
    const out = t.testdir(old === undefined ? {} : { [path]: old })
    const change = old === undefined ? 'create' : fresh === undefined ? 'remove' : 'replace'
    const files = bundleOf(fresh === undefined ? {} : { [path]: fresh })
    const diffs = await diffBundle(files, [{ path, change }], out, { created: true })
    t.strictSame(
      diffs.map(({ text }) => text),
      [wanted],
    )
  }
})
