// Runs the built program on generated profiles (shapes.mjs) and prints the cost of each run as a line of JSON.
//
// Usage: run-shapes.mjs steps|time SIZE[,SIZE...] PATTERN COMMAND...
//
// `steps` sums the execution counts of all code blocks, which depend on neither the machine nor its load.
import { Session } from 'node:inspector'
import fs, { mkdtempSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { shapes } from './shapes.mjs'

const [way, sizes, pattern, ...command] = process.argv.slice(2)
const root = fileURLToPath(new URL('../..', import.meta.url))
const schema = JSON.parse(readFileSync(path.join(root, 'docs/profile.schema.json'), 'utf8'))
const print = (row) => writeSync(1, `${JSON.stringify(row)}\n`)

const session = new Session()
if (way === 'steps') {
  session.connect()
  ask('Profiler.enable')
  ask('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
}

function ask(method, parameters = {}) {
  let answer
  session.post(method, parameters, (error, result) => {
    if (error) throw new Error(`${method}: ${error.message}`)
    answer = result
  })
  return answer
}

/** Execution counts since the last call, which resets them. */
function steps() {
  const ours = ask('Profiler.takePreciseCoverage').result.filter(({ url }) =>
    url.includes('/dist/'),
  )
  return ours
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0)
}

function milliseconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

// No compile cache, so that runs do not depend on earlier ones.
process.env.XDG_CACHE_HOME = path.join(os.devNull, 'none')
const { main } = createRequire(import.meta.url)('../../dist/main.cjs')
const folder = mkdtempSync(path.join(os.tmpdir(), 'winnode-shapes-'))
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0)

async function answer(text) {
  let output = 0
  const count = (bytes) => {
    output += Buffer.byteLength(bytes)
    return bytes.length
  }
  // A short text is written at once, a long one through Node's stream.
  fs.writeSync = (to, bytes, ...place) => (to > 2 ? writeSync(to, bytes, ...place) : count(bytes))
  process.stdout.write = (bytes) => count(bytes) > 0
  process.stderr.write = (bytes) => count(bytes) > 0
  writeFileSync('profile.yaml', text)
  if (way === 'steps') steps()
  const before = milliseconds()
  const code = await main([...command, './profile.yaml'], root)
  const took = way === 'steps' ? steps() : milliseconds() - before
  return { code, took, output }
}

try {
  process.chdir(folder)
  const rows = sizes.split(',').map((size) => [...shapes(schema, Number(size))])
  for (const [index, { name }] of rows[0].entries()) {
    if (!new RegExp(pattern).test(name)) continue
    const answers = []
    for (const row of rows) answers.push(await answer(row[index].text()))
    print({ name, answers, peak: Math.round(process.resourceUsage().maxRSS / 1024) })
  }
} finally {
  process.chdir(root)
  rmSync(folder, { recursive: true, force: true })
}
