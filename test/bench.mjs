// `npm run bench`: how long winnode takes, as multiples of what Node itself takes to start.
//
// Times of different moments do not compare on a machine that also does other work. So each round
// runs every program once, one after the other, and only numbers of the same rounds are divided.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { writeFleet } from './tools/fleet.mjs'

const rounds = 30
const root = fileURLToPath(new URL('..', import.meta.url))
const program = path.join(root, 'bin/run.cjs')
const temporary = mkdtempSync(path.join(os.tmpdir(), 'winnode-bench-'))
const render = [program, 'render', 'ws2022-flannel-overlay', '--out', path.join(temporary, 'out')]

/** What is timed; `target` is the most that a multiple of the first row may be. */
const rows = [
  { name: 'node -e 0', argv: ['-e', '0'] },
  { name: 'winnode --version', argv: [program, '--version'], target: 3.5 },
  { name: 'winnode render --dry-run', argv: [...render, '--dry-run'], target: 5 },
  { name: 'winnode render', argv: render, target: 5 },
]
const memory = { argv: render, target: 120 }

/** Node 20 reads extra certificates at every start, and options load what winnode does not. */
const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = process.env

function run(argv, stdio = 'ignore', status = 0) {
  // Every render is a first one.
  rmSync(path.join(temporary, 'out'), { recursive: true, force: true })
  const start = performance.now()
  const child = spawnSync(process.execPath, argv, { env, stdio })
  const milliseconds = performance.now() - start
  if (child.status !== status) throw new Error(`node ${argv.join(' ')} ended with ${child.status}`)
  return { milliseconds, output: child.output }
}

/** Loaded into a process, tells its largest resident size in KiB on file descriptor 3. */
const teller = path.join(root, 'test/tools/tell-memory.mjs')

function peakMemory({ argv, status }) {
  const stdio = ['ignore', 'ignore', 'ignore', 'pipe']
  const { output } = run(['--import', pathToFileURL(teller).href, ...argv], stdio, status)
  return Number(output[3]) / 1024
}

const nodes = 10_000

/** The fastest of three rounds; each reads the same bytes, once with nothing but JSON.parse. */
function readFleet() {
  const folder = path.join(temporary, 'fleet')
  const bundle = path.join(temporary, 'bundle')
  run([...render.slice(0, -1), bundle])
  const size = Math.round(writeFleet(bundle, folder, { nodes, lines: 100 }) / 2 ** 20)
  const bare = ['--input-type=module', '-e', parseAll, folder]
  const drift = [program, 'drift', 'ws2022-flannel-overlay', folder]
  const times = [1, 2, 3].map(() => [run(bare), run(drift, 'ignore', 4)])
  const fastest = (row) => Math.min(...times.map((round) => round[row].milliseconds))
  return { size, bare: fastest(0), drift: fastest(1), peak: peakMemory({ argv: drift, status: 4 }) }
}

const parseAll = `
  import { readdirSync, readFileSync } from 'node:fs'
  const folder = process.argv[1]
  for (const name of readdirSync(folder)) JSON.parse(readFileSync(folder + '/' + name, 'utf8'))`

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2
}

function print([name, ...numbers]) {
  console.log([name.padEnd(26), ...numbers.map((cell) => cell.padStart(14))].join('').trimEnd())
}

const verdict = (value, target) => `${target}, ${value <= target ? 'reached' : 'missed'}`

try {
  for (const { argv } of rows) run(argv)
  const times = rows.map(() => [])
  for (let round = 0; round < rounds; round += 1)
    for (const [index, { argv }] of rows.entries()) times[index].push(run(argv).milliseconds)

  console.log(`Node ${process.version}, ${process.platform} ${process.arch}, ${rounds} rounds\n`)
  print(['milliseconds', 'median', 'fastest', 'multiple', 'target'])
  const bare = median(times[0])
  for (const [index, { name, target }] of rows.entries()) {
    const middle = median(times[index])
    const multiple = middle / bare
    const aim = target === undefined ? '' : verdict(multiple, target)
    const fastest = Math.min(...times[index])
    print([name, middle.toFixed(1), fastest.toFixed(1), multiple.toFixed(2), aim])
  }
  const peak = peakMemory(memory)
  print(['', '', '', '', ''])
  print(['peak memory of a render', `${peak.toFixed(0)} MiB`, '', '', verdict(peak, memory.target)])

  print(['', '', '', '', ''])
  const fleet = readFleet()
  print([`${nodes} reports, ${fleet.size} MiB`, 'milliseconds', '', 'multiple', 'target'])
  print(['bare JSON.parse', fleet.bare.toFixed(0)])
  const ratio = fleet.drift / fleet.bare
  print(['winnode drift', fleet.drift.toFixed(0), '', ratio.toFixed(2), verdict(ratio, 2)])
  print(['peak memory', `${fleet.peak.toFixed(0)} MiB`, '', '', verdict(fleet.peak, 250)])

  // Another process: what one large profile leaves behind is not another's.
  const shapes = spawnSync(
    process.execPath,
    [path.join(root, 'test/tools/answer-shapes.mjs'), 'time', '1048000', '.', 'validate'],
    { env, encoding: 'utf8', maxBuffer: 2 ** 28 },
  )
  const answers = shapes.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const slow = answers.toSorted((a, b) => b.answers[0].took - a.answers[0].took)
  print(['', '', '', '', ''])
  console.log(`${answers.length} profiles of 1 MiB, milliseconds of the processor; the slowest:`)
  for (const {
    name,
    answers: [{ took }],
  } of slow.slice(0, 3))
    print([took.toFixed(0).padEnd(8) + name.slice(0, 60), '', '', '', verdict(took, 2000)])
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
