// `npm test`: every gate in order, the tests last, and one line of counts at the end.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runSuite } from './tools/suite.mjs'

const gates = [
  { name: 'format', command: ['prettier', '--check', '--log-level', 'warn', '.'] },
  { name: 'lint', command: ['eslint', '--max-warnings', '0', '.'] },
  { name: 'types', command: ['tsc'] },
  { name: 'build', command: ['node', 'build.mjs'] },
  { name: 'package', command: ['publint', '--strict'] },
]

const usage = `Usage: npm test [-- FILE...]     the named test files only, without gates and coverage
       npm run golden            rewrites the golden files and the generated pages`

const flags = process.argv.slice(2).filter((word) => word.startsWith('-'))
const files = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const golden = flags.includes('--golden')
const cwd = fileURLToPath(new URL('..', import.meta.url))

/** Children see the programs of the project, and nothing that changes or slows them. */
function environment() {
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = process.env
  const PATH = [path.join(cwd, 'node_modules/.bin'), env.PATH].join(path.delimiter)
  return { ...env, PATH, NO_UPDATE_NOTIFIER: '1', npm_config_update_notifier: 'false' }
}

function tapCommand() {
  const uncovered = golden || files.length > 0
  const options = [golden && '--snapshot', uncovered && '--disable-coverage'].filter(Boolean)
  return ['tap', ...options, ...files]
}

if (flags.some((flag) => flag !== '--golden')) {
  console.error(usage)
  process.exitCode = 2
} else {
  process.exitCode = await runSuite({
    gates: files.length > 0 ? [] : gates,
    tap: tapCommand(),
    cwd,
    env: environment(),
    print: console.log,
  })
}
