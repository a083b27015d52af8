// How a bundle differs from the folder that it would be written to, in the form of `git diff`.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { applyPatch } from 'diff'
import t from 'tap'
import { planBundle } from '../../src/io/bundle.ts'
import type { FileChange } from '../../src/io/bundle/plan-changes.ts'
import { diffBundle } from '../../src/io/bundle-diff.ts'
import { bundleOf, bytes } from './bundles.ts'
import { usedBundle } from './used-bundle.ts'

t.test('a diff shows what writing would change', async (t) => {
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
  if (plan.kind !== 'planned') throw new Error(plan.kind)
  const none = new Map<string, Uint8Array>()
  const diffs = diffBundle(files, plan.changes, plan.contentsRead, { created: true })
  const texts = Object.fromEntries(diffs.map(({ path, text }) => [path, text]))
  t.equal(
    texts['README.md'],
    'diff --git a/README.md b/README.md\n--- a/README.md\n+++ b/README.md\n@@ -1,1 +1,1 @@\n-one\n\\ No newline at end of file\n+two\n',
  )
  t.equal(texts['bin'], 'Binary files a/bin and b/bin differ\n')
  t.equal(texts['large'], 'Binary files a/large and b/large differ\n')
  t.equal(texts['files/a.txt'], 'Binary files a/files/a.txt and b/files/a.txt differ\n')
  t.equal(texts['lines.txt'], 'Line endings of a/lines.txt and b/lines.txt differ\n')
  t.match(
    texts['old/x.txt'],
    /^diff --git a\/old\/x.txt b\/old\/x.txt\ndeleted file mode 100644\n--- a\/old\/x.txt\n\+\+\+ \/dev\/null\n/,
  )
  t.notOk('mine/note.txt' in texts)
  const created = diffBundle(files, [{ path: 'lines.txt', change: 'create' }], none, {
    created: true,
  })
  t.match(created, [
    {
      text: /^diff --git a\/lines.txt b\/lines.txt\nnew file mode 100644\n--- \/dev\/null\n\+\+\+ b\/lines.txt\n@@ -0,0 \+1,2 @@\n\+a\n\+b\n$/,
    },
  ])
  const named = diffBundle(files, [{ path: 'lines.txt', change: 'create' }], none, {
    created: false,
  })
  t.match(named, [{ text: ' create mode 100644 lines.txt\n' }], 'by its name only')

  const numbered = (count: number, step: number) =>
    Array.from({ length: count }, (_, at) => `line ${at * step}\n`).join('')
  const rows: readonly (readonly [old: string, fresh: string, hunk: string])[] = [
    [numbered(9, 1), numbered(9, 1).replace('4', 'four'), '@@ -2,7 +2,7 @@'],
    ['', 'a\n', '@@ -0,0 +1,1 @@'],
    ['a\n', 'a\rb\n', '@@ -1,1 +1,1 @@'],
    ['a\n', 'a\nb\n', '@@ -1,1 +1,2 @@'],
    [numbered(40_000, 1), numbered(30_000, -1), '@@ -1,40000 +1,30000 @@'],
    [`${numbered(2000, 1)}\\ No newline at end of file`, numbered(9, -1), '@@ -1,2001 +1,9 @@'],
  ]
  const began = process.cpuUsage().user
  for (const [old, fresh, hunk] of rows) {
    const change = { path: 'lines.txt', change: 'replace' } as const
    const held = new Map([['lines.txt', bytes(old)]])
    const [diff] = diffBundle(bundleOf({ 'lines.txt': fresh }), [change], held, {
      created: true,
    })
    const text = diff?.text ?? ''
    t.equal(/^@@.*$/m.exec(text)?.[0], hunk, 'as git shows it')
    t.equal(applyPatch(old, text), fresh, `${hunk}: the hunk matches the new text`)
  }
  t.ok(process.cpuUsage().user - began < 5e6, 'also where nearly all of it differs')
})

t.test('a diff of much has as many hunks as there are places', async (t) => {
  const lines = (count: number, of: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => `${of(at)}\n`).join('')
  const numbered = lines(20_000, (at) => `line ${at}`)
  const rows: readonly (readonly [name: string, fresh: string, hunks: number, signs: number])[] = [
    ['edits all over', lines(20_000, (at) => `${at % 13 ? 'line' : 'edited'} ${at}`), 1539, 3078],
    [
      'halves that changed places, shown as a whole',
      lines(20_000, (at) => `line ${(at + 1e4) % 2e4}`),
      1,
      40_000,
    ],
    ['other lines', lines(20_000, (at) => `row ${at}`), 1, 40_000],
    ['lines that are the same', lines(20_000, (at) => `line ${at % 2}`), 1, 40_000],
  ]
  const held = new Map([['text', bytes(numbered)]])
  for (const [name, fresh, hunks, signs] of rows) {
    const change = { path: 'text', change: 'replace' } as const
    const files = bundleOf({ text: fresh })
    const [{ text } = { text: '' }] = diffBundle(files, [change], held, { created: true })
    t.equal(text.match(/^@@ /gm)?.length, hunks, name)
    t.equal((text.match(/^[-+](?!--|\+\+)/gm) ?? []).length, signs, `${name}: lines`)
    t.equal(applyPatch(numbered, text), fresh, `${name}: the hunk matches the new text`)
  }
})

t.test('a diff has the names and empty files of git', async (t) => {
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
    ['x y', 'a\n', '', 'diff --git a/x y b/x y\n--- a/x y\n+++ b/x y\n@@ -1,1 +0,0 @@\n-a\n'],
    [
      'x"\té\\',
      undefined,
      'b\n',
      String.raw`diff --git "a/x\"\t\303\251\\" "b/x\"\t\303\251\\"
new file mode 100644
--- /dev/null
+++ "b/x\"\t\303\251\\"
@@ -0,0 +1,1 @@
+b
`,
    ],
    [
      'x',
      body('b'),
      body('c'),
      'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -4,5 +4,5 @@\n   a\n   a\n   a\n-  b\n+  c\n }\n',
    ],
  ]
  for (const [path, old, fresh, wanted] of rows) {
    const held = new Map(old === undefined ? [] : [[path, bytes(old)]])
    const change = old === undefined ? 'create' : fresh === undefined ? 'remove' : 'replace'
    const files = bundleOf(fresh === undefined ? {} : { [path]: fresh })
    const diffs = diffBundle(files, [{ path, change }], held, { created: true })
    t.strictSame(
      diffs.map(({ text }) => text),
      [wanted],
    )
  }
})

t.test('git apply takes a diff, and makes the new files of it', async (t) => {
  const rows: Readonly<
    Record<string, readonly [old: string | undefined, fresh: string | undefined]>
  > = {
    'new.txt': [undefined, 'a\nb\n'],
    'new/empty.txt': [undefined, ''],
    'gone.txt': ['a\nb\n', undefined],
    'gone-empty.txt': ['', undefined],
    'emptied.txt': ['a\n', ''],
    'filled.txt': ['', 'a\n'],
    'unended.txt': ['a\nb', 'a\nc'],
    'ended.txt': ['a\nb', 'a\nb\n'],
    'no-more-ended.txt': ['a\nb\n', 'a\nb'],
    'two words.txt': ['a\n', 'b\n'],
    'été.txt': ['a\n', 'b\n'],
    'mixed.txt': ['a\r\nb\nc\r\n', 'a\r\nB\nc\r\n'],
    'signs.txt': ['--- a\n+++ b\n@@ -1 +1 @@\n', '+++ b\n--- a\n@@ -1 +1 @@\n'],
    'other.txt': ['old\n'.repeat(5000), 'new\n'.repeat(6000)],
  }
  const [held, fresh] = [new Map<string, Uint8Array>(), new Map<string, string>()]
  const changes: FileChange[] = []
  const folder = t.testdir()
  for (const [path, [before, after]] of Object.entries(rows)) {
    const change = before === undefined ? 'create' : after === undefined ? 'remove' : 'replace'
    changes.push({ path, change })
    if (before !== undefined) {
      held.set(path, bytes(before))
      writeFileSync(join(folder, path), before)
    }
    if (after !== undefined) fresh.set(path, after)
  }
  const files = bundleOf(Object.fromEntries(fresh))
  const diffs = diffBundle(files, changes, held, { created: true })
  const input = diffs.map(({ text }) => text).join('')
  // Not the repository that this test is in.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder) }
  const git = spawnSync('git', ['apply', '-'], { cwd: folder, input, env, encoding: 'utf8' })
  t.match(git, { status: 0, stderr: '' })
  const beside: FileChange[] = [
    { path: 'ends.txt', change: 'replace' },
    { path: 'binary', change: 'replace' },
    { path: 'last.txt', change: 'replace' },
  ]
  const before = new Map([
    ['ends.txt', bytes('a\r\n')],
    ['binary', bytes('\0')],
    ['last.txt', bytes('a\n')],
  ])
  writeFileSync(join(folder, 'last.txt'), 'a\n')
  const after = bundleOf({ 'ends.txt': 'a\n', binary: '\0\0', 'last.txt': 'b\n' })
  const skipped = diffBundle(after, beside, before, { created: true })
  const again = spawnSync('git', ['apply', '-'], {
    ...{ cwd: folder, env, encoding: 'utf8' as const },
    input: skipped.map(({ text }) => text).join(''),
  })
  t.match(again, { status: 0, stderr: '' }, 'what has no hunks is skipped')
  t.equal(readFileSync(join(folder, 'last.txt'), 'utf8'), 'b\n')
  for (const path of Object.keys(rows)) {
    const file = join(folder, path)
    const found = existsSync(file) ? readFileSync(file, 'utf8') : undefined
    t.equal(found, fresh.get(path), path)
  }
})
