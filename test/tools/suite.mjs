// Runs gates and then the tests, and always ends with one line of counts.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Reporter, verdict } from '../reporter.mjs'

/** `gates` are rows of a name and a command; gives the exit code. */
export async function runSuite({ gates, tap, cwd, env, print }) {
  const failedGates = []
  for (const { name, command } of gates) {
    const { ok, output, milliseconds } = await runGate(command, { cwd, env })
    print(verdict(ok, name, milliseconds))
    if (ok) continue
    failedGates.push(name)
    print(output.trimEnd().replace(/^/gm, '     '))
  }
  const reporter = await runTests(tap, { cwd, env, print })
  return summarize(gates, failedGates, reporter, print)
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
