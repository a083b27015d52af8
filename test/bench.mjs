// `npm run bench [-- NODE...]`: how long winnode takes, as multiples of what each Node that is found takes to start.
//
// Times of different moments do not compare on a machine that also does other work. So each round
// runs every program once, one after the other, and only numbers of the same rounds are divided.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { fileOf, thisSystem } from '../packaging/executables/systems.mjs'
import { writeFleet } from './tools/fleet.mjs'
import { initTimes } from './tools/init-times.mjs'

const rounds = 30
const root = fileURLToPath(new URL('..', import.meta.url))
const program = path.join(root, 'bin/run.cjs')
/** Memory, where the system has a folder of it: what is measured is winnode, and not a disk. */
const memoryFolder = '/dev/shm'
const folder = existsSync(memoryFolder) ? memoryFolder : os.tmpdir()
const temporary = mkdtempSync(path.join(folder, 'winnode-bench-'))
const node = process.execPath
const words = ['render', 'ws2022-flannel-overlay', '--out', path.join(temporary, 'out')]
const validate = ['validate', 'ws2022-flannel-overlay']

/** Besides the Node.js that runs this: the versions that npm installed under other names, and the versions that are given. */
function otherNodes() {
  const packages = path.join(root, 'node_modules')
  const file = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  const brought = readdirSync(packages).map((name) => path.join(packages, name, file))
  return [...brought.filter((one) => existsSync(one)), ...process.argv.slice(2)]
}

/** The most that a multiple of bare Node may be. */
const targets = (major) =>
  // Node 20 has no compile cache.
  major < 22
    ? { version: 3.5, validate: 7, dryRun: 8, render: 9 }
    : { version: 3.5, validate: 4.2, dryRun: 5, render: 5.5 }

/** What is timed, `node -e 0` first. */
function rowsOf(which) {
  const { stdout } = spawnSync(which, ['--version'], { encoding: 'utf8' })
  const { version, validate: validated, dryRun, render } = targets(parseInt(stdout.slice(1)))
  const winnode = [which, program]
  return [
    { name: `node -e 0, ${stdout.trim()}`, argv: [which, '-e', '0'] },
    { name: 'winnode --version', argv: [...winnode, '--version'], target: version },
    { name: 'winnode validate', argv: [...winnode, ...validate], target: validated },
    { name: 'winnode render --dry-run', argv: [...winnode, ...words, '--dry-run'], target: dryRun },
    { name: 'winnode render', argv: [...winnode, ...words], target: render },
  ]
}

const memory = { argv: [program, ...words], target: 90 }

/** The same as one file; `npm run executables` makes it. */
function ofExecutable() {
  const system = thisSystem()
  const file = path.join(root, 'release', system ? fileOf(system) : '')
  if (!system || !existsSync(file)) return []
  const size = `${(statSync(file).size / 1e6).toFixed(0)} MB`
  return [
    { name: `one file, ${size}: --version`, argv: [file, '--version'], target: 0.3 },
    { name: 'one file: validate', argv: [file, ...validate], target: 1.6 },
    { name: 'one file: render --dry-run', argv: [file, ...words, '--dry-run'], target: 1.8 },
    { name: 'one file: render', argv: [file, ...words], target: 2.1 },
  ]
}

/** Node 20 reads extra certificates at every start, and options load what winnode does not. */
const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...own } = process.env
const env = { ...own, XDG_CACHE_HOME: temporary }

function run([command, ...argv], stdio = 'ignore', status = 0) {
  // Every render is a first one.
  rmSync(path.join(temporary, 'out'), { recursive: true, force: true })
  const start = performance.now()
  const child = spawnSync(command, argv, { env, stdio })
  const milliseconds = performance.now() - start
  if (child.status !== status)
    throw new Error(`${command} ${argv.join(' ')} exited with ${child.status}`)
  return { milliseconds, output: child.output }
}

/** Loaded into a process, writes its largest resident size in KiB on file descriptor 3. */
const teller = path.join(root, 'test/tools/report-memory.mjs')

function peakMemory(which, { argv, status }) {
  const stdio = ['ignore', 'ignore', 'ignore', 'pipe']
  const { output } = run([which, '--import', pathToFileURL(teller).href, ...argv], stdio, status)
  return Number(output[3]) / 1024
}

/** Of a program that nothing can be loaded into: what Linux says of a child that has ended, by its shell. */
function peakOf(argv) {
  if (process.platform !== 'linux') return undefined
  const script =
    '"$0" "$@" >/dev/null 2>&1 & while grep VmHWM "/proc/$!/status" 2>/dev/null; do :; done'
  const child = spawnSync('sh', ['-c', script, ...argv], { env, encoding: 'utf8' })
  const sizes = [...child.stdout.matchAll(/(\d+) kB/g)].map(([, size]) => Number(size))
  return Math.max(0, ...sizes) / 1024
}

const nodes = 10_000

/** Reports with logs, and snapshots, which are small, of as many and of ten times as many nodes. */
function readFleets() {
  const bundle = path.join(temporary, 'bundle')
  run([node, program, ...words.slice(0, -1), bundle])
  return [
    readFleet(bundle, 'reports', { nodes, lines: 100 }),
    readFleet(bundle, 'snapshots', { nodes }),
    readFleet(bundle, 'snapshots', { nodes: 10 * nodes }),
  ]
}

/** The fastest of three rounds; each reads the same bytes, once with nothing but JSON.parse. */
function readFleet(bundle, kind, options) {
  const folder = path.join(temporary, 'fleet')
  const size = Math.round(writeFleet(bundle, folder, options) / 2 ** 20)
  const bare = ['--input-type=module', '-e', parseAll, folder]
  const drift = [program, 'drift', 'ws2022-flannel-overlay', folder]
  const times = [1, 2, 3].map(() => [run([node, ...bare]), run([node, ...drift], 'ignore', 4)])
  const fastest = (row) => Math.min(...times.map((round) => round[row].milliseconds))
  const peak = peakMemory(node, { argv: drift, status: 4 })
  rmSync(folder, { recursive: true })
  return {
    name: `${options.nodes} ${kind}, ${size} MiB`,
    bare: fastest(0),
    drift: fastest(1),
    peak,
  }
}

const pools = 20

/** The fastest of five rounds: the start of winnode, one profile, and a folder of profiles. */
function renderPools() {
  const folder = path.join(temporary, 'pools')
  mkdirSync(folder)
  const files = Array.from({ length: pools }, (_, at) => path.join(folder, `pool-${at}.yaml`))
  const profile = 'apiVersion: winnode/v1\nkind: NodeProfile\nextends: ws2022-flannel-overlay\n'
  for (const file of files) writeFileSync(file, profile)
  const render = (what) => [node, program, 'render', what, '--out', path.join(temporary, 'out')]
  const rows = [[node, program, '--version'], render(files[0]), render(folder)]
  const times = [1, 2, 3, 4, 5].map(() => rows.map((row) => run(row).milliseconds))
  return rows.map((_, row) => Math.min(...times.map((round) => round[row])))
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
  console.log([name.padEnd(32), ...numbers.map((cell) => cell.padStart(14))].join('').trimEnd())
}

const verdict = (value, target) => `${target}, ${value <= target ? 'reached' : 'missed'}`

/** Prints the rows and gives the median of the first. */
function time(rows) {
  // Twice: the second run has the compile cache of the first.
  for (let warm = 0; warm < 2; warm += 1) for (const { argv } of rows) run(argv)
  const times = rows.map(() => [])
  for (let round = 0; round < rounds; round += 1)
    for (const [index, { argv }] of rows.entries()) times[index].push(run(argv).milliseconds)

  print(['milliseconds', 'median', 'fastest', 'multiple', 'target'])
  const bare = median(times[0])
  for (const [index, { name, target }] of rows.entries()) {
    const middle = median(times[index])
    const multiple = middle / bare
    const aim = target === undefined ? '' : verdict(multiple, target)
    const fastest = Math.min(...times[index])
    print([name, middle.toFixed(1), fastest.toFixed(1), multiple.toFixed(2), aim])
  }
  return bare
}

function printPeak(which) {
  const peak = peakMemory(which, memory)
  print(['peak memory of a render', `${peak.toFixed(0)} MiB`, '', '', verdict(peak, memory.target)])
}

try {
  console.log(`${process.platform} ${process.arch}, ${rounds} rounds\n`)
  const executable = ofExecutable()
  const bare = time([...rowsOf(node), ...executable])
  printPeak(node)
  const last = executable.at(-1)
  const one = last && peakOf(last.argv)
  if (one) print(['one file: peak of a render', `${one.toFixed(0)} MiB`, '', '', ''])

  for (const other of otherNodes()) {
    print(['', '', '', '', ''])
    time(rowsOf(other))
    printPeak(other)
  }

  const asked = await initTimes([node, program, 'init', '--out', temporary + '/node.yaml'], env)
  if (asked) {
    const [first, next] = [median(asked.first), median(asked.next)]
    const multiple = first / bare
    print(['', '', '', '', ''])
    print([
      'init: the first question',
      first.toFixed(1),
      '',
      multiple.toFixed(2),
      verdict(multiple, 6),
    ])
    print(['init: from one to the next', next.toFixed(1), '', '', verdict(next, 50)])
  }

  print(['', '', '', '', ''])
  for (const { name, bare: parsed, drift, peak } of readFleets()) {
    print([name, 'milliseconds', '', 'multiple', 'target'])
    print(['bare JSON.parse', parsed.toFixed(0)])
    const ratio = drift / parsed
    print(['winnode drift', drift.toFixed(0), '', ratio.toFixed(2), verdict(ratio, 2)])
    print(['peak memory', `${peak.toFixed(0)} MiB`, '', '', verdict(peak, 250)])
  }

  print(['', '', '', '', ''])
  const [start, single, together] = renderPools()
  const share = (together - start) / (pools * (single - start))
  print(['render, without the start', 'milliseconds', '', 'multiple', 'target'])
  print(['one profile', (single - start).toFixed(0)])
  print([
    `${pools} profiles`,
    (together - start).toFixed(0),
    '',
    share.toFixed(2),
    verdict(share, 1.3),
  ])

  // Another process: what one large profile leaves behind is not another's.
  const shapes = spawnSync(
    process.execPath,
    [path.join(root, 'test/tools/run-shapes.mjs'), 'time', '1048000', '.', 'validate'],
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
