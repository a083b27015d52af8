// `npm test`: every gate, the tests last, and one line of counts at the end.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runSuite } from './tools/suite.mjs'

const cwd = fileURLToPath(new URL('..', import.meta.url))

const build = { name: 'build', command: [process.execPath, 'build.mjs'] }
// The others read what it writes. The longest comes first, as they run side by side.
const checks = [
  { name: 'types, lint', command: [process.execPath, 'test/tools/lint.mjs'] },
  { name: 'format', command: tool('prettier', '--check', '--log-level', 'warn', '.') },
  { name: 'package', command: tool('publint', '--strict') },
]

const usage = `Usage: npm test [-- FILE...]     the named test files only, without gates and coverage
       npm run golden            rewrites what the project makes of itself, and checks nothing else
       npm run test:all          everything, and the node side killed at each of its steps: two hours
       npm run stress            many more renders at once and signals than npm test has time for`

const flags = process.argv.slice(2).filter((word) => word.startsWith('-'))
const golden = flags.includes('--golden')
const stress = flags.includes('--stress')
const all = flags.includes('--all')
const files = stress
  ? ['test/commands/processes.test.ts']
  : process.argv.slice(2).filter((word) => !word.startsWith('-'))

/** The tests that compare files of the project with what it makes: they write them on request. */
function goldenTests() {
  const folder = path.join(cwd, 'test')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const tests = files.filter((name) => name.endsWith('.test.ts'))
  const compares = (name) => readFileSync(path.join(folder, name), 'utf8').includes('checkedIn')
  return tests.filter(compares).map((name) => `test/${name}`)
}

function gatesFor() {
  if (golden) return [[build]]
  return files.length > 0 ? [] : [[build], checks]
}

/** A program of a package, as `package` or `package/program`: what Windows has in .bin does not spawn. */
function tool(name, ...args) {
  const [folder, program = folder] = name.split('/')
  const home = path.join(cwd, 'node_modules', folder)
  const { bin } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'))
  return [process.execPath, path.join(home, bin[program] ?? bin), ...args]
}

/** Children see the programs of the project, and nothing that changes or slows them. */
function environment() {
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = process.env
  // A copy of the environment no longer knows that Windows calls it Path.
  const PATH = [path.join(cwd, 'node_modules/.bin'), process.env.PATH].join(path.delimiter)
  const quiet = { NO_UPDATE_NOTIFIER: '1', npm_config_update_notifier: 'false' }
  const more = { ...(stress && { WINNODE_STRESS: '1' }), ...(all && { WINNODE_ALL: '1' }) }
  return { ...env, PATH, ...quiet, ...more }
}

function tapCommand() {
  const uncovered = golden || files.length > 0
  const options = [
    golden && '--snapshot',
    uncovered && '--disable-coverage',
    stress && '--timeout=3600',
    all && '--timeout=14400',
  ].filter(Boolean)
  return [...tool('tap'), ...options, ...(golden ? goldenTests() : files)]
}

if (flags.some((flag) => !['--all', '--golden', '--stress'].includes(flag))) {
  console.error(usage)
  process.exitCode = 2
} else {
  process.exitCode = await runSuite({
    gates: gatesFor(),
    tap: tapCommand(),
    cwd,
    env: environment(),
    print: console.log,
  })
}
