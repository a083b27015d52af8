// Real processes: many renders at once into one folder, ended by signals at random moments; and large profiles.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { exits } from '../../src/commands/exit.ts'
import { readManifest } from '../../src/io/bundle-manifest.ts'
import { contentsOf } from '../io/bundles.ts'
import { executable } from '../tools/run.ts'
import { costsOf } from '../tools/shape-costs.ts'
import { type Ended, start } from './start.ts'
import { everything, sampleOf } from '../tools/everything.ts'

/** `npm run stress` asks for more of the same. */
const stress = process.argv.includes('--stress')
/** An executable does what the program does: a few show it. */
const few = executable !== undefined && !stress
const rounds = stress ? 200 : few || !everything ? 2 : 4
const signals = stress ? 600 : few || !everything ? 9 : 24
const crowd = 10
const seed = Number(process.env['WINNODE_SEED'] ?? Date.now() % 1_000_000)

/** Mulberry32: the same numbers for the same seed. */
function randomOf(first: number): () => number {
  let state = first
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function say(text: string): void {
  process.stderr.write(`     ${text}\n`)
}

const render = (maxPods: number, out = './out', profile = 'ws2022-flannel-overlay') => [
  ...['render', profile, '--quiet', '--out', out],
  ...['--set', `kubelet.maxPods=${maxPods}`],
]

/** What no person should see. */
const raw = /E[A-Z]{4,}:|\bat .*:\d+:\d+|bug in winnode|undefined/

function folder(t: Test): string {
  const made = mkdtempSync(join(tmpdir(), 'winnode-processes-'))
  t.teardown(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** In their own folders, and among the files of a bundle. */
function putForeign(out: string): Readonly<Record<string, string>> {
  const names = Array.from({ length: 300 }, (_, at) => {
    const below = ['', 'mine/', 'files/', 'files/containerd/', 'cluster/mine/'][at % 5] ?? ''
    return `${below}note-${at}.txt`
  })
  for (const name of names) {
    mkdirSync(join(out, name, '..'), { recursive: true })
    writeFileSync(join(out, name), `note of ${name}`)
  }
  return Object.fromEntries(names.map((name) => [name, `note of ${name}`]))
}

/** Of a folder's files: those that node.json lists and that are not as it says; `undefined` without one. */
function unlike(contents: Readonly<Record<string, string>>): readonly string[] | undefined {
  const node = contents['node.json']
  const manifest = node === undefined ? undefined : readManifest(Buffer.from(node))
  if (!manifest) return undefined
  return [...manifest.files.keys()].filter(
    (path) => manifest.ownerOf(path, Buffer.from(contents[path] ?? '')) !== 'ours',
  )
}

t.test(`${rounds} rounds of ${crowd} renders at once, seed ${seed}`, async (t) => {
  const parent = folder(t)
  const out = join(parent, 'out')
  const foreign = putForeign(out)
  const random = randomOf(seed)
  const found = { lost: 0, incomplete: 0, raw: 0, left: 0, odd: 0 }
  const codes = new Map<number | null, number>()
  for (let round = 0; round < rounds; round += 1) {
    // Every other round begins without a bundle.
    if (round % 2 === 0) {
      rmSync(out, { recursive: true, force: true })
      putForeign(out)
    }
    const pods = Array.from({ length: crowd }, () => 20 + Math.floor(random() * 200))
    const ends = await Promise.all(pods.map((one) => start(render(one), parent).ended))
    for (const { code, stderr } of ends) {
      codes.set(code, (codes.get(code) ?? 0) + 1)
      if (code !== 0 && code !== 5) found.odd += 1
      if (raw.test(stderr)) found.raw += 1
    }
    const contents = contentsOf(out) ?? {}
    found.lost += Object.entries(foreign).filter(([name, text]) => contents[name] !== text).length
    const broken = unlike(contents)
    const some = ends.some(({ code }) => code === 0)
    if (broken?.length !== 0 && some) found.incomplete += 1
    found.left += readdirSync(parent).length - 1
  }
  const counts = [...codes].map(([code, count]) => `${count} exited with ${code}`).join(', ')
  say(`${rounds} rounds of ${crowd} renders at once, seed ${seed}: ${counts}; ${words(found)}`)
  t.strictSame(found, { lost: 0, incomplete: 0, raw: 0, left: 0, odd: 0 })
})

const codesOf = {
  SIGINT: exits.interrupted.code,
  SIGTERM: exits.terminated.code,
  SIGHUP: exits['hung-up'].code,
} as const
type Signal = keyof typeof codesOf
const names = Object.keys(codesOf) as Signal[]

t.test(
  `${signals} signals at random moments, seed ${seed}`,
  { skip: process.platform === 'win32' && 'Windows has no signals' },
  async (t) => {
    const parent = folder(t)
    const templates = join(parent, 'templates')
    mkdirSync(templates)
    // What may exist before, and what must exist after a complete run.
    for (const [name, pods] of [
      ['old', 30],
      ['new', 40],
    ] as const) {
      const { code } = await start(render(pods, `templates/${name}`), parent).ended
      t.equal(code, 0)
    }
    await cp(join(templates, 'old'), join(templates, 'used'), { recursive: true })
    const foreign = putForeign(join(templates, 'used'))
    const { whole, writing } = await timesOf(join(parent, 'timed'))
    const [old, fresh] = [contentsOf(join(templates, 'old')), contentsOf(join(templates, 'new'))]
    const usedOld = contentsOf(join(templates, 'used'))
    const usedNew = { ...usedOld, ...fresh }
    const states = {
      nothing: { before: undefined, after: fresh },
      old: { before: old, after: fresh },
      used: { before: usedOld, after: usedNew },
    } as const
    t.ok(Object.keys(foreign).length === 300)

    const random = randomOf(seed)
    const found = { half: 0, lies: 0, raw: 0, left: 0, odd: 0 }
    const counts = { before: 0, during: 0, after: 0, whole: 0 }
    const ids = Array.from({ length: signals }, (_, at) => at)
    for (const id of ids) {
      const [kind, { before, after }] = Object.entries(states)[id % 3] ?? [
        'nothing',
        states.nothing,
      ]
      const home = join(parent, `run-${id}`)
      mkdirSync(home)
      if (before) await cp(join(templates, kind), join(home, 'out'), { recursive: true })
      const signal = names[Math.floor(random() * names.length)] ?? 'SIGINT'
      const early = random() < 0.3
      const delay = random() * 1.2 * (early ? whole : writing)
      const run = start(render(40), home)
      if (!early) await appears(join(home, '.out.winnode.lock'), run.ended)
      await sleep(delay)
      run.kill(signal)
      const ended = await run.ended
      const contents = JSON.stringify(contentsOf(join(home, 'out')))
      const now = {
        before: contents === JSON.stringify(before),
        after: contents === JSON.stringify(after),
      }
      judge(ended, signal, now)
      found.left += readdirSync(home).filter((name) => name !== 'out').length
      rmSync(home, { recursive: true })
    }
    say(`${signals} signals, seed ${seed}: ${words(counts)}; ${words(found)}`)
    t.strictSame(found, { half: 0, lies: 0, raw: 0, left: 0, odd: 0 })

    function judge(ended: Ended, signal: Signal, now: { before: boolean; after: boolean }): void {
      const { code, stderr } = ended
      if (!now.before && !now.after) found.half += 1
      if (raw.test(stderr)) found.raw += 1
      // Before the program handled signals.
      const deaf = ended.signal === signal && now.before
      // After the bundle was whole, while Node took itself down; with --quiet a success prints nothing.
      const late = ended.signal === signal && now.after && stderr === ''
      if (code !== 0 && code !== codesOf[signal] && !deaf && !late) found.odd += 1
      if (code === 0 && !now.after) found.lies += 1
      const saysOld = /nothing was changed|nothing was written|is as it was/.test(stderr)
      const saysNew = stderr.includes('contains the complete new bundle')
      if (code === codesOf[signal] && (saysOld === saysNew || (saysOld ? !now.before : !now.after)))
        found.lies += 1
      if (code === 0 || late) counts.whole += 1
      else if (saysNew) counts.after += 1
      else if (/as it was|nothing was written/.test(stderr)) counts.during += 1
      else counts.before += 1
    }
  },
)

const mounted = mountTmpfs()

t.test('a disk that is full, or closed', { skip: mounted.skip }, async (t) => {
  const { mount, remount } = mounted
  /** Kilobytes that are free: on an empty disk, or beside a bundle. */
  const rows: readonly [name: string, free: number, before: boolean][] = [
    ['no room for a first bundle', 120, false],
    ['no room for the smallest file', 8, false],
    ['no room for what a second bundle changes', 24, true],
    ['room for nothing more', 4, true],
  ]
  for (const foreign of sampleOf([false, true], (one) => one)) {
    for (const [name, free, before] of rows) {
      const disk = mount(t, 4096)
      if (before) t.equal((await start(render(30), disk).ended).code, 0)
      if (foreign) mkdirSync(join(disk, 'out/mine'), { recursive: true })
      const { blocks, bfree, bsize } = statfsSync(disk)
      remount(disk, `size=${((blocks - bfree) * bsize) / 1024 + free}k`)
      const found = contentsOf(disk)
      const { code, stderr } = await start(render(40, './out', 'ws2019-flannel-overlay'), disk)
        .ended
      const now = before || foreign ? './out is as it was' : 'nothing was written'
      const told = stderr.split('\n').filter((line) => line.startsWith('error'))
      t.strictSame(told, [`error: cannot write ./out: the disk is full; ${now}`], name)
      t.equal(code, 1)
      t.strictSame(contentsOf(disk), found, `${name}: all is as it was`)
    }
  }
  const disk = mount(t, 4096)
  t.equal((await start(render(30), disk).ended).code, 0)
  remount(disk, 'ro')
  const { code, stderr } = await start(render(40), disk).ended
  t.equal(stderr, 'error: cannot write ./out: the disk is read-only; ./out is as it was\n')
  t.equal(code, 1)
  t.equal((await start(render(30), disk).ended).code, 0, 'what is the same needs no disk')
})

/** Its own disk in a folder, where this machine lets the test make one. */
function mountTmpfs() {
  const run = (program: string, ...args: readonly string[]) => spawnSync(program, args).status === 0
  const mount = (t: Test, kilobytes: number) => {
    const home = folder(t)
    if (!run('mount', '-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', home))
      throw new Error(home)
    t.teardown(() => run('umount', '-l', home))
    return home
  }
  const remount = (home: string, option: string) => {
    if (!run('mount', '-o', `remount,${option}`, home)) throw new Error(option)
  }
  const probe = mkdtempSync(join(tmpdir(), 'winnode-mount-'))
  const able = run('mount', '-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', probe) && run('umount', probe)
  rmSync(probe, { recursive: true })
  return { mount, remount, skip: !able && 'a disk cannot be mounted here' }
}

/** Milliseconds of a first render, and of its end in which it writes. */
async function timesOf(
  home: string,
): Promise<{ readonly whole: number; readonly writing: number }> {
  mkdirSync(home)
  const begin = performance.now()
  const run = start(render(50), home)
  await appears(join(home, '.out.winnode.lock'), run.ended)
  const seen = performance.now()
  await run.ended
  const end = performance.now()
  return { whole: end - begin, writing: end - seen }
}

async function appears(path: string, ended: Promise<unknown>): Promise<void> {
  const over = new AbortController()
  void ended.then(() => {
    over.abort()
  })
  while (!over.signal.aborted && !existsSync(path)) await sleep(1)
}

function words(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')
}

/** Of the program in this process. */
const elsewhere = executable !== undefined && 'an executable counts no steps'

t.test('four times the entries take four times the steps', { skip: elsewhere }, async (t) => {
  const rows = costsOf(
    'steps',
    // 1000 and 4000 characters of entries, with 200 around them.
    [1200, 4200],
    everything
      ? '^YAML|: (list|list of the same|map|map of nearly known keys|rows of maps|deep and wide)$'
      : '^YAML|: map$',
  )
  t.ok(rows.length > (everything ? 100 : 30), `${rows.length} shapes of the schema`)
  for (const { name, answers } of rows) {
    const [small, large] = answers
    if (!small || !large) throw new Error(`${name}: no answer`)
    const fixed = 20_000
    t.ok(large.took <= 6 * small.took + fixed, `${name}: ${small.took} and ${large.took} steps`)
    t.ok(large.output <= 6 * small.output + fixed, `${name}: ${large.output} bytes of output`)
    t.not(large.code, 1, `${name}: no bug`)
  }
})

t.test('a text of 1 MiB is searched once', { skip: elsewhere }, async (t) => {
  const long = `: amount of |[.]config: map of a long key${everything ? '|^summary: text of' : ''}`
  for (const row of costsOf('time', [2 ** 20 - 100], long))
    for (const { code, took, output } of row.answers) {
      t.not(code, 1, row.name)
      t.ok(took < 1500, `${row.name}: ${took.toFixed(0)} ms of the processor`)
      t.ok(output < 8 * 2 ** 20, `${row.name}: ${output} bytes of output`)
    }
})
