// Runs gates and then the tests, and always ends with one line of counts.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Reporter, verdict } from '../reporter.mjs'

/** As many as tap runs test files. */
const atOnce = 2

/** `gates` are lists of rows of a name and a command; a list begins when the one before has ended. Gives the exit code. */
export async function runSuite({ gates, tap, cwd, env, print }) {
  const failedGates = []
  const tell = (name, { ok, output, milliseconds }) => {
    print(verdict(ok, name, milliseconds))
    if (ok) return
    failedGates.push(name)
    print(output.trimEnd().replace(/^/gm, '     '))
  }
  let last
  for (const list of gates) {
    await last?.done
    last = runGates(list, { cwd, env }, tell)
  }
  // Tests need none of the last ones, and take what these leave idle.
  await last?.idle
  const reporter = await runTests(tap, { cwd, env, print })
  await last?.done
  return summarize(gates.flat(), failedGates, reporter, print)
}

/** Side by side, and told in their order; `idle` is when no other one is left to begin. */
function runGates(list, options, tell) {
  const results = []
  let told = 0
  const waiting = list.entries()
  const lane = async () => {
    for (const [index, { command }] of waiting) {
      results[index] = await runGate(command, options)
      for (; results[told]; told += 1) tell(list[told].name, results[told])
    }
  }
  const lanes = Array.from({ length: atOnce }, lane)
  return { idle: Promise.race(lanes), done: Promise.all(lanes) }
}

async function runGate([program, ...args], options) {
  const start = performance.now()
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const chunks = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => chunks.push(data))
  const code = await exitOf(child)
  const output = Buffer.concat(chunks).toString()
  const told = output.trim() === '' ? `ended with ${code}\n` : output
  return { ok: code === 0, output: told, milliseconds: performance.now() - start }
}

async function runTests([program, ...args], { cwd, env, print }) {
  const reporter = new Reporter(print)
  const stdio = ['ignore', 'pipe', 'inherit']
  const child = spawn(program, [...args, '--reporter=tap'], { cwd, env, stdio })
  child.stdout.setEncoding('utf8').on('data', (text) => reporter.write(text))
  const code = await exitOf(child)
  reporter.end()
  if (reporter.executed === 0) reporter.fail('no test was executed')
  if (code !== 0 && reporter.failures.length === 0) reporter.fail(`tap ended with ${code}`)
  if (reporter.missed.length > 0) print(await leastCovered(cwd))
  return reporter
}

/** A code, a signal, or why the program did not start. */
async function exitOf(child) {
  try {
    const [code, signal] = await once(child, 'close')
    return code ?? signal
  } catch (error) {
    return error.message
  }
}

function summarize(gates, failedGates, { passed, failures, skips }, print) {
  const failed = [...failedGates, ...failures]
  const skipped = [...skips.values()].reduce((sum, count) => sum + count, 0)
  print('')
  for (const [reason, count] of skips) print(`${count} skipped: ${reason}`)
  for (const name of failed) print(`FAIL ${name}`)
  const all = passed + gates.length - failedGates.length
  print(`${all} passed, ${failed.length} failed, ${skipped} skipped`)
  return failed.length === 0 ? 0 : 1
}

/** The files behind a missed threshold, worst first. */
async function leastCovered(cwd) {
  const file = path.join(cwd, '.tap/report/coverage-summary.json')
  const { total: _, ...files } = JSON.parse(await readFile(file, 'utf8'))
  const rows = Object.entries(files).map(([name, { branches, lines }]) => ({
    name: path.relative(cwd, name),
    text: `${branches.pct} % of branches, ${lines.pct} % of lines`,
    worst: Math.min(branches.pct, lines.pct),
  }))
  const worst = rows.sort((a, b) => a.worst - b.worst).slice(0, 10)
  return worst.map(({ name, text }) => `     ${name}: ${text}`).join('\n')
}
