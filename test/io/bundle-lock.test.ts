// The lock of a folder: which runs are waited for, which are taken for dead, and what is said.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs, { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { planBundle, writeBundle } from '../../src/io/bundle.ts'
import { isDeadRun } from '../../src/io/bundle/lock.ts'
import { digestOf } from '../../src/render/digest.ts'
import { contentsOf } from './bundles.ts'
import { second, usedBundle, usedFirst, usedSecond } from './used-bundle.ts'

const linux = process.platform === 'linux'
const ended = spawnSync(process.execPath, ['-e', '']).pid
const running = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
t.teardown(() => running.kill())
const alive = running.pid ?? 0

function startOf(number: number): string {
  if (!linux) return '1'
  const stat = readFileSync(`/proc/${number}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

const own = { host: hostname(), process: alive, start: startOf(alive) }
const textOf = (holder: object) => JSON.stringify({ kind: 'BundleLock', ...own, ...holder })

t.test('whose lock it is', async (t) => {
  const folder = t.testdir()
  const lock = join(folder, '.out.winnode.lock')
  const held = { kind: 'held', lock }
  const rows: [name: string, make: () => void, outcome: object][] = [
    ['a run that is alive', () => writeFileSync(lock, textOf({})), { ...held, holder: own }],
    ['a dead run', () => writeFileSync(lock, textOf({ process: ended })), { kind: 'planned' }],
    [
      'another host',
      () => writeFileSync(lock, textOf({ host: 'elsewhere', process: ended })),
      { ...held, holder: { host: 'elsewhere' } },
    ],
    ['a file of the user', () => writeFileSync(lock, 'mine'), { ...held, holder: undefined }],
    ['a folder', () => mkdirSync(lock), { ...held, holder: undefined }],
    [
      'a start that leads out of the folder',
      () => writeFileSync(lock, textOf({ process: ended, start: '../../x' })),
      { ...held, holder: undefined },
    ],
    ['an empty one, just now', () => writeFileSync(lock, ''), { ...held, holder: undefined }],
    [
      'an empty one, some time ago',
      () => {
        writeFileSync(lock, '')
        utimesSync(lock, 1, 1)
      },
      { kind: 'planned' },
    ],
  ]
  if (linux)
    rows.push([
      'a number that another process has got',
      () => writeFileSync(lock, textOf({ start: '1' })),
      { kind: 'planned' },
    ])
  for (const [name, make, outcome] of rows) {
    for (const run of [writeBundle, planBundle]) {
      const out = await usedBundle(folder)
      make()
      const before = contentsOf(folder)
      const found = await run(second, { out, cwd: '/' }, { patience: 100 })
      t.match(found, outcome, `${name}, ${run.name}`)
      const written = run === writeBundle && found.kind === 'planned'
      t.strictSame(contentsOf(out), written ? usedSecond : usedFirst)
      if (written) t.strictSame(readdirSync(folder), ['out'])
      else t.strictSame(contentsOf(folder), before, 'nothing changes')
    }
  }
})

t.test('a dead lock that another run is about to remove', async (t) => {
  const folder = t.testdir()
  const lock = join(folder, '.out.winnode.lock')
  const dead = textOf({ process: ended })
  const guard = `${lock}.${digestOf(own.host).slice(0, 8)}-${ended}-${own.start}-0`
  const rows = [
    ['alive', {}, 'held'],
    ['dead too', { process: ended }, 'planned'],
  ] as const
  for (const [name, holder, kind] of rows) {
    const out = await usedBundle(folder)
    writeFileSync(lock, dead)
    writeFileSync(guard, textOf(holder))
    const found = await writeBundle(second, { out, cwd: '/' }, { patience: 100 })
    t.match(found, { kind, ...(kind === 'held' && { lock: guard }) }, name)
    if (kind === 'planned') t.strictSame(readdirSync(folder), ['out'])
  }
})

t.test('runs that wait', async (t) => {
  const folder = t.testdir()
  const lock = join(folder, '.out.winnode.lock')
  const out = await usedBundle(folder)
  writeFileSync(lock, textOf({}))
  const goOn = () => Promise.resolve(false)
  const asked = await writeBundle(second, { out, cwd: '/' }, { shouldContinue: goOn })
  t.strictSame(
    asked,
    { kind: 'stopped', now: `${out} is as it was` },
    'hears of being asked to end',
  )
  const waiting = writeBundle(second, { out, cwd: '/' })
  await sleep(100)
  writeFileSync(lock, textOf({ process: ended }))
  t.match(await waiting, { kind: 'planned' }, 'goes on when the other run is over')
  t.strictSame(contentsOf(out), usedSecond)
})

t.test('the lock of another run stays, where this one lost its own', async (t) => {
  const folder = t.testdir()
  const lock = join(folder, '.out.winnode.lock')
  const out = await usedBundle(folder)
  const goOn = () => {
    writeFileSync(lock, textOf({}))
    return Promise.resolve(true)
  }
  t.match(await writeBundle(second, { out, cwd: '/' }, { shouldContinue: goOn }), {
    kind: 'planned',
  })
  t.equal(readFileSync(lock, 'utf8'), textOf({}))
})

t.test('a plan of a folder that another run changes', async (t) => {
  const folder = t.testdir()
  const lock = join(folder, '.out.winnode.lock')
  const list = fs.readdirSync
  t.teardown(() => {
    Object.assign(fs, { readdirSync: list })
    syncBuiltinESMExports()
  })
  /** So many times a file of the bundle goes after the folder was listed. */
  const plan = async (times: number, meddle: () => void = () => undefined) => {
    const out = await usedBundle(folder)
    let count = 0
    const listed = (...args: Parameters<typeof list>) => {
      const names = list(...args)
      if (args[0] !== out || count >= times) return names
      count += 1
      if (count === times) meddle()
      return [...names, 'gone.txt']
    }
    Object.assign(fs, { readdirSync: listed })
    syncBuiltinESMExports()
    return planBundle(second, { out, cwd: '/' }, { patience: 0 })
  }
  t.match(await plan(1), { kind: 'planned' }, 'is made again')
  t.match(await plan(4), { kind: 'planned' })
  t.match(await plan(5), { kind: 'unsettled' })
  const holding = await plan(5, () => writeFileSync(lock, textOf({})))
  t.match(holding, { kind: 'held', lock, holder: own }, 'says which run it is')
})

t.test('a run gives up where nothing is lost', async (t) => {
  const folder = t.testdir()
  for (const there of [true, false]) {
    for (let at = 1; ; at += 1) {
      const used = await usedBundle(folder)
      const out = there ? used : join(folder, 'a/b/out')
      const before = contentsOf(folder)
      let count = 0
      const goOn = () => {
        count += 1
        return Promise.resolve(count < at)
      }
      const outcome = await writeBundle(second, { out, cwd: '/' }, { shouldContinue: goOn })
      if (outcome.kind === 'planned') {
        t.equal(at, 3, 'asked before and after the files are written')
        break
      }
      const now = there ? `${out} is as it was` : 'nothing was written'
      t.strictSame(outcome, { kind: 'stopped', now })
      t.strictSame(contentsOf(folder), before)
    }
  }
})

t.test('names of files identify a run', async (t) => {
  const id = (host: string, number: number, start: string) =>
    `${digestOf(host).slice(0, 8)}-${number}-${start}-1`
  t.equal(isDeadRun(id(own.host, alive, own.start)), false)
  t.equal(isDeadRun(id(own.host, ended, '1')), true)
  t.equal(isDeadRun(id(own.host, process.pid, '1')), true, 'what this process has left')
  t.equal(isDeadRun(id('elsewhere', ended, '1')), false)
  t.equal(isDeadRun('mine'), false)
  if (!linux) return
  t.equal(isDeadRun(id(own.host, alive, '1')), true, 'its number was given again')
  // The second takes the place of the shell, and never asks about the first.
  const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 30'])
  t.teardown(() => parent.kill())
  const said: unknown[] = await once(parent.stdout, 'data')
  const child = Number(String(said[0]))
  const start = startOf(child)
  const isOver = () => readFileSync(`/proc/${child}/stat`, 'utf8').includes(') Z ')
  for (let tries = 0; tries < 100 && !isOver(); tries += 1) await sleep(50)
  t.equal(isDeadRun(id(own.host, child, start)), true, 'it has ended')
})
