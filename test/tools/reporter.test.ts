// The reporter of `npm test`: every kind of failure is counted and named.
import { readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { type Test, t } from 'tap'
import tapPackage from '../../node_modules/tap/package.json' with { type: 'json' }
import { type Outcome, root, shell } from './run.ts'
import { testOfAll } from '../tools/everything.ts'

const tap = path.join(root, 'node_modules/tap', tapPackage.bin.tap)

/** The project's settings for JavaScript tests, because loading tsx for each file would take longer than the tests. */
const taprc = readFileSync(path.join(root, '.taprc'), 'utf8')
  .replace('test/*/*.test.ts', '"*.test.js"')
  .replace('  - --import=./test/tools/tsx.mjs\n', '')
  .replaceAll('./test/', `${path.relative(path.join(root, '.tap/fixtures/x'), root)}/test/`)

const tests: Readonly<Record<string, string>> = {
  pass: `t.test('outer', async (t) => {
      t.test('inner', async (t) => { t.ok(true, 'one'); t.ok(true, 'two') })
    })`,
  fail: "t.test('outer', async (t) => { t.equal(1, 2, 'one is two'); t.ok(true) })",
  crash: `t.test('outer', async (t) => { t.equal(1, 2, 'one is two') })
    throw new Error('on import')`,
  halfway: "t.ok(true, 'before'); process.exit(3)",
  absent: "import './no-such-file.js'; t.test('outer', async (t) => { t.ok(true) })",
  rejects: `void Promise.reject(new Error('uncaught'))
    t.test('outer', async (t) => { t.ok(true) })`,
  hangs: "t.ok(true, 'before'); setInterval(() => {}, 1000)",
  busy: "t.ok(true, 'before'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)",
  unsettled: "t.ok(true, 'before'); await new Promise(() => {}); t.ok(true, 'after')",
  leaves: "process.exit(0); t.test('outer', async (t) => { t.ok(true) })",
  empty: '',
  // tap alone takes an empty list of a pattern for any list.
  list: "t.match({ list: [1] }, { list: [] }, 'no list'); t.match({ list: [] }, { list: [] })",
  skip: `const skip = 'a tool is not on PATH'
    t.test('first', { skip }, async () => {})
    t.test('second', { skip }, async () => {})`,
}

/** Runs tap as package.json does, in a folder with these test files. */
function run(
  t: Test,
  names: readonly string[],
  words: readonly string[] = [],
  limit = 600,
): Outcome {
  const files = names.map((name) => [
    `${name}.test.js`,
    `import { t } from 'tap'\n${tests[name] ?? ''}`,
  ])
  const folder = t.testdir({
    '.taprc': taprc,
    'package.json': '{ "type": "module" }',
    ...Object.fromEntries(files),
  })
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction')
  const script =
    'for name in $(env | grep -o "^TAP[A-Z_]*\\|^_TAPJS[A-Z_]*"); do unset "$name"; done'
  const env = { TEST_LIMIT: String(limit) }
  return shell(`${script}; exec node "$0" "$@"`, [tap, ...words], { cwd: folder, env })
}

const lastLine = ({ stdout }: Outcome) => stdout.trimEnd().split('\n').at(-1)
const failures = ({ stdout }: Outcome) =>
  stdout
    .trimEnd()
    .split('\n\n')
    .at(-1)
    ?.match(/^FAIL .*$/gm)

t.test('every way to fail is counted and named', async (t) => {
  const names = Object.keys(tests).filter((name) => !['hangs', 'busy'].includes(name))
  const outcome = run(t, names)
  t.equal(lastLine(outcome), '7 passed, 10 failed, 2 skipped')
  // Files end in any order: two run at once.
  t.strictSame(failures(outcome)?.toSorted(), [
    'FAIL absent.test.js',
    'FAIL crash.test.js > on import',
    'FAIL crash.test.js > outer > one is two',
    'FAIL empty.test.js',
    'FAIL fail.test.js > outer > one is two',
    'FAIL halfway.test.js',
    'FAIL leaves.test.js',
    'FAIL list.test.js > no list',
    'FAIL rejects.test.js',
    'FAIL unsettled.test.js',
  ])
  t.match(outcome.stdout, /^2 skipped: a tool is not on PATH$/m)
  t.equal(outcome.code, 1)
})

// Its time has to pass.
testOfAll('a file that takes too long drops no other', { skip: false }, async (t) => {
  const outcome = run(t, ['busy', 'hangs', 'pass', 'skip'], [], 45)
  t.strictSame(failures(outcome), ['FAIL busy.test.js', 'FAIL hangs.test.js'])
  t.equal(lastLine(outcome), '4 passed, 2 failed, 2 skipped')
  t.match(outcome.stdout, /^ {5}exited with SIGKILL$/m)
})

t.test('a name that is misspelt is an error', async (t) => {
  const outcome = run(t, ['pass'], ['pass.test.js', 'paas.test.js'])
  t.strictSame(failures(outcome), ['FAIL paas.test.js'])
  t.equal(lastLine(outcome), '2 passed, 1 failed, 0 skipped')
  t.equal(outcome.code, 1)
  t.equal(run(t, ['pass'], ['paas.test.js']).code, 1)
})

t.test('one test is named by --grep', async (t) => {
  t.equal(lastLine(run(t, ['pass'], ['--grep=outer'])), '2 passed, 0 failed, 0 skipped')
  const none = run(t, ['pass'], ['--grep=/other/'])
  t.equal(lastLine(none), '0 passed, 1 failed, 1 skipped')
  t.equal(none.code, 1)
})
