// The runner itself: what fails is counted and named, whatever way it fails.
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Test, t } from 'tap'
import tapPackage from '../../node_modules/tap/package.json' with { type: 'json' }
import { type Outcome, root, shell } from './run.ts'

const tap = path.join(root, 'node_modules/tap', tapPackage.bin.tap)
const loaded = path.join(root, 'test/tools/loaded.mjs')
const taprc = `
include: ['*.test.js']
coverage-report: [json-summary]
node-arg: ['--import=${pathToFileURL(loaded).href}']
`
const tests = {
  pass: `import { t } from 'tap'
    t.test('outer', async (t) => {
      t.test('inner', async (t) => { t.ok(true, 'one'); t.ok(true, 'two') })
    })`,
  fail: `import { t } from 'tap'
    t.test('outer', async (t) => { t.equal(1, 2, 'one is two'); t.ok(true) })`,
  crash: `import { t } from 'tap'
    t.test('outer', async (t) => { t.equal(1, 2, 'one is two') })
    throw new Error('on import')`,
  halfway: `import { t } from 'tap'
    t.ok(true, 'before')
    process.exit(3)`,
  absent: `import { t } from 'tap'
    import { one } from './no-such-file.js'
    t.test('outer', async (t) => { t.ok(one) })`,
  rejects: `import { t } from 'tap'
    void Promise.reject(new Error('nobody caught it'))
    t.test('outer', async (t) => { t.ok(true) })`,
  hangs: `import { t } from 'tap'
    t.test('outer', async (t) => { t.ok(true) })
    await new Promise(() => {})`,
  leaves: `import { t } from 'tap'
    process.exit(0)
    t.test('outer', async (t) => { t.ok(true) })`,
  empty: '',
  skip: `import { t } from 'tap'
    const skip = 'a tool is not on PATH'
    t.test('first', { skip }, async () => {})
    t.test('second', { skip }, async () => {})`,
}
const testOfHalf = `import { t } from 'tap'
  import { half } from './half.js'
  t.equal(half(1), 0.5)`
const halfCovered = `export function half(x) {
  if (x > 100) {
    return x
  }
  return x / 2
}
`

interface Suite {
  readonly files?: Readonly<Record<string, string>>
  readonly gates?: readonly (readonly [name: string, script: string])[]
  readonly options?: readonly string[]
  /** A script in place of tap, where it is not about tests. */
  readonly instead?: string
}

const oneTest = "console.log('TAP version 14\\nok 1 - pass.test.js\\n1..1')"

/** Runs the project's runner in a folder of its own; tap measures nothing below `.tap`. */
function suite(t: Test, { files = {}, gates = [], instead, ...more }: Suite): Outcome {
  const { options = ['--disable-coverage'] } = more
  const program = instead === undefined ? [tap, ...options] : ['-e', instead, '--']
  const rows = gates.map(([name, script]) => ({ name, command: ['node', '-e', script] }))
  const script = `
    import { runSuite } from ${JSON.stringify(path.join(root, 'test/tools/suite.mjs'))}
    const env = Object.entries(process.env).filter(([name]) => !/^_?TAP/.test(name))
    process.exitCode = await runSuite({
      gates: ${JSON.stringify([rows])},
      tap: ${JSON.stringify([process.execPath, ...program])},
      cwd: process.cwd(),
      env: Object.fromEntries(env),
      print: console.log,
    })`
  const folder = mkdtempSync(path.join(tmpdir(), 'winnode-runner-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  // Windows lets anybody make a junction.
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction')
  const all = { 'package.json': '{"type": "module"}', '.taprc': taprc, 'run.js': script, ...files }
  for (const [name, text] of Object.entries(all))
    writeFileSync(path.join(folder, name), name.endsWith('.test.js') ? `${text}${ending}` : text)
  const PATH = [path.join(root, 'node_modules/.bin'), process.env['PATH']].join(path.delimiter)
  // Nothing here is TypeScript, whose compiler each process would load.
  const env = { PATH, TAP_TYPE_STRIP_ONLY: '1' }
  return shell('exec node run.js', [], { cwd: folder, env })
}

/** What the transpiler writes below a test file. */
const { ending, create } = createRequire(import.meta.url)('./transpile.cjs')

function lastLine({ stdout }: Outcome): string | undefined {
  return stdout.trimEnd().split('\n').at(-1)
}

t.test('failures of every kind', async (t) => {
  const files = Object.entries(tests).map(([name, text]) => [`${name}.test.js`, text] as const)
  const outcome = suite(t, {
    files: Object.fromEntries(files),
    gates: [
      ['good', ''],
      ['bad', 'console.log("why it failed"); process.exit(1)'],
    ],
  })
  t.equal(outcome.code, 1)
  t.match(outcome.stdout, /^ok {3}good +\d+\.\d s$/m, 'a gate that passes')
  t.match(outcome.stdout, /^FAIL bad +\d+\.\d s\n {5}why it failed$/m, 'a gate that fails')
  t.match(outcome.stdout, /^FAIL fail\.test\.js > outer > one is two$/m, 'a failing assertion')
  t.match(outcome.stdout, /fail\.test\.js:2:\d+\n +--- expected/, 'with its place and difference')
  const crashed = /^FAIL crash\.test\.js > on import$/m
  t.match(outcome.stdout, crashed, 'a file that throws when it is loaded, in its own words')
  t.match(
    outcome.stdout,
    /^FAIL crash\.test\.js > outer > one is two$/m,
    'beside what it tested before',
  )
  t.match(outcome.stdout, /^FAIL halfway\.test\.js$/m, 'a file that stops halfway')
  const absent = /^FAIL absent\.test\.js > Cannot find module '\S+no-such-file\.js'/m
  t.match(outcome.stdout, absent, 'an import that is not there')
  t.match(outcome.stdout, /^FAIL rejects\.test\.js > nobody caught it$/m, 'a promise')
  const early = 'ended with 13, before all of it was loaded'
  t.match(outcome.stdout, `FAIL hangs.test.js\n     ${early}\n`, 'an await that never ends')
  t.match(outcome.stdout, `FAIL leaves.test.js\n     ${early}\n`, 'an exit that says all is well')
  t.match(outcome.stdout, /^FAIL empty\.test\.js\n {5}no test was executed\nFAIL empty/m)
  t.match(outcome.stdout, /^2 skipped: a tool is not on PATH$/m, 'skips by reason')
  t.equal(lastLine(outcome), '7 passed, 10 failed, 2 skipped')
})

/** A gate that ends when there is such a file, or when nobody writes it. */
const until = (file: string) => `
  const end = Date.now() + 60_000
  const wait = () => {
    if (Date.now() > end) process.exit(1)
    if (!require('fs').existsSync('${file}')) setTimeout(wait, 10)
  }
  wait()`

t.test('tests begin where no other gate is left to', async (t) => {
  const outcome = suite(t, {
    instead: `require('fs').writeFileSync('begun', ''); ${oneTest}`,
    gates: [
      ['slow', until('begun')],
      ['quick', ''],
    ],
  })
  t.equal(lastLine(outcome), '3 passed, 0 failed, 0 skipped')
})

t.test('gates run side by side, and are told in their order', async (t) => {
  // The first ends when the third has begun, which the second makes room for.
  const make = (file: string) => `require('fs').writeFileSync('${file}', '')`
  const outcome = suite(t, {
    instead: oneTest,
    gates: [
      ['slow', until('third')],
      ['quick', ''],
      ['later', make('third')],
    ],
  })
  const names = outcome.stdout.match(/(?<=^ok {3})\w+(?= )/gm)
  t.strictSame(names, ['slow', 'quick', 'later'])
  t.equal(lastLine(outcome), '4 passed, 0 failed, 0 skipped')
})

t.test('a missed threshold of coverage is a failure with a name', async (t) => {
  const outcome = suite(t, {
    files: { 'half.js': halfCovered, 'half.test.js': testOfHalf },
    options: ['--branches=95', '--lines=10', '--statements=10', '--functions=10'],
  })
  t.equal(outcome.code, 1)
  t.match(outcome.stdout, /^FAIL coverage: only \d+.*% of the branches$/m)
  t.match(outcome.stdout, /^ {5}half\.js: \d+.*% of branches, \d+.*% of lines$/m, 'with its files')
  t.equal(lastLine(outcome), '1 passed, 1 failed, 0 skipped')
})

t.test('no test at all is a failure', async (t) => {
  const outcome = suite(t, { files: {} })
  t.equal(outcome.code, 1)
  t.match(outcome.stdout, /^FAIL no test was executed$/m)
  t.equal(lastLine(outcome), '0 passed, 1 failed, 0 skipped')
})

t.test('a program that is missing is a failure', async (t) => {
  const folder = t.testdir({})
  const script = `
    import { runSuite } from ${JSON.stringify(path.join(root, 'test/tools/suite.mjs'))}
    const gates = [[{ name: 'absent', command: ['no-such-program'] }]]
    const tap = ['no-such-program']
    const { env } = process
    process.exitCode = await runSuite({ gates, tap, cwd: '.', env, print: console.log })`
  const outcome = shell('exec node --input-type=module -e "$0"', [script], { cwd: folder })
  t.equal(outcome.code, 1)
  t.match(outcome.stdout, /no-such-program ENOENT/)
  t.equal(lastLine(outcome), '0 passed, 2 failed, 0 skipped')
})

interface Transpiler {
  readonly transpile: (input: string, file: { readonly fileName: string }) => { outputText: string }
}

t.test('a file is compiled once for all test files, and anew when it changed', async (t) => {
  const home = t.testdir({})
  const service = { config: { options: { target: 99 } } }
  const make = (): Transpiler => create({ service, home })
  const fileName = path.join(root, 'src/no-such-file.ts')
  const kept = path.join(home, 'src/no-such-file.ts.json')
  const say = (input: string) => make().transpile(input, { fileName }).outputText
  t.match(say('const one: number = 1'), /const one = 1;/)
  const first = readFileSync(kept, 'utf8')
  writeFileSync(kept, first.replace('one = 1', 'one = 2'))
  t.match(say('const one: number = 1'), /const one = 2;/, 'what was kept is taken')
  t.match(say('const one: string = "1"'), /const one = "1";/, 'not for another text')
  writeFileSync(kept, first.slice(0, 20))
  t.match(say('const one: number = 1'), /const one = 1;/, 'not where it broke off')
  const broken = () => say('const one = [1\nconst two = 2')
  t.throws(broken, { message: /^src\/no-such-file\.ts\(2,1\): error TS\d+: / }, 'nor what is none')
  const test = { fileName: path.join(root, 'test/no-such.test.ts') }
  const { outputText } = make().transpile('const one = 1 // first', test)
  t.match(outputText, /\nglobalThis\[Symbol\.for\('winnode\.loaded'\)\]/, 'a test says its end')
})
