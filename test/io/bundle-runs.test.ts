// Runs that meet at one folder: they wait, give up, and tell the living from the dead.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { Written } from '../../src/io/bundle.ts'
import { planBundle, writeBundle } from '../../src/io/bundle.ts'
import type { World } from '../../src/io/bundle/world.ts'
import type { Disk } from '../../src/io/bundle/disk.ts'
import { claimText } from '../../src/io/bundle/claims.ts'
import { digestOf } from '../../src/render/digest.ts'
import type { Claim, Standing } from '../../src/io/run-identity.ts'
import { thisRun } from '../../src/io/run-identity.ts'
import { contentsOf, textsOf } from './bundles.ts'
import { fastDisk } from './disks.ts'
import { claimBy, machine, worldOf } from './worlds.ts'
import { first, second, usedBundle, usedFirst, usedSecond } from './used-bundle.ts'

t.test('one run at a time', async (t) => {
  const folder = t.testdir()
  const out = await usedBundle(folder)
  const { start } = machine()
  const [holder, waiter] = [start(), start()]
  let waited = 0
  const patient: Partial<World> = {
    wait: (milliseconds) => {
      waited += milliseconds
      return Promise.resolve()
    },
  }
  let moments = 0
  const goOn = async () => {
    moments += 1
    if (moments > 1) return true
    const before = contentsOf(folder)
    waited = 0
    const second_ = await writeBundle(second, { out, cwd: '/' }, worldOf(fastDisk, waiter, patient))
    t.match(second_, {
      kind: 'held',
      holder: { claim: { process: 1, host: 'test' }, standing: 'alive' },
    })
    t.ok(waited >= 2000 && waited < 2100, `waited ${waited} ms`)
    t.ok(second_.kind === 'held' && Math.abs(Date.now() - second_.holder.since) < 60_000)
    const reading = await planBundle(second, { out, cwd: '/' }, worldOf(fastDisk, waiter, patient))
    t.equal(reading.kind, 'held', 'who only reads waits too')
    t.same(contentsOf(folder), before, 'and nothing is changed')
    return true
  }
  const outcome = await writeBundle(second, { out, cwd: '/' }, worldOf(fastDisk, holder, { goOn }))
  t.equal(outcome.kind, 'planned')
  t.same(contentsOf(out), usedSecond)
  t.same(readdirSync(folder), ['out'])

  t.test('a run that comes to its end is waited for', async (t) => {
    const [slow, next] = [start(), start()]
    let others: Promise<Written> | undefined
    const goOnSlowly = async () => {
      const wait = () => new Promise<void>((resolve) => setImmediate(resolve))
      others ??= writeBundle(second, { out, cwd: '/' }, worldOf(fastDisk, next, { wait }))
      await wait()
      return true
    }
    await writeBundle(first, { out, cwd: '/' }, worldOf(fastDisk, slow, { goOn: goOnSlowly }))
    t.equal((await others)?.kind, 'planned')
    t.same(contentsOf(out), usedSecond)
  })
})

t.test('which run holds a folder', async (t) => {
  const { claim, standingOf } = thisRun()
  t.equal(standingOf(claim), 'dead', 'what this one has left itself')
  t.equal(standingOf({ ...claim, host: 'elsewhere' }), 'unknown', 'another machine')
  t.equal(standingOf({ ...claim, machine: 'other' }), 'unknown', 'another of the same name')
  const gone = spawnSync(process.execPath, ['-e', '']).pid
  t.equal(standingOf({ ...claim, process: gone }), 'dead', 'a process that ended')
  if (process.platform !== 'linux') return
  // The second takes the place of the shell, and never asks about the first.
  const script = 'sleep 0.2 & echo $!; exec sleep 30'
  const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  t.teardown(() => parent.kill())
  const said: unknown[] = await once(parent.stdout, 'data')
  const ended = Number(String(said[0]))
  const running = readStart(ended)
  for (let tries = 0; tries < 100 && !statOf(ended).includes(') Z '); tries += 1) await sleep(50)
  t.equal(standingOf({ ...claim, process: ended, start: running }), 'dead', 'one that has ended')
  t.equal(standingOf({ ...claim, start: '1' }), 'dead', 'its number was given again')
  t.equal(standingOf({ ...claim, space: 'pid:[1]' }), 'unknown', 'another container')
  const rebooted = claim.machine === '' ? 'unknown' : 'dead'
  t.equal(standingOf({ ...claim, boot: 'before' }), rebooted, 'before the machine started')
  const other = standingOf({ ...claim, process: 1, start: readStart(1) })
  t.equal(other, 'alive', 'a process of somebody else')
})

function statOf(number: number): string {
  return readFileSync(`/proc/${number}/stat`, 'utf8')
}

function readStart(number: number): string {
  const stat = statOf(number)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

t.test('a run gives up where nothing is lost', async (t) => {
  const folder = t.testdir()
  for (const there of [true, false]) {
    for (let at = 1; ; at += 1) {
      const out = await usedBundle(folder)
      if (!there) rmSync(out, { recursive: true })
      const deep = there ? out : join(folder, 'a/b/out')
      const before = contentsOf(folder)
      let asked = 0
      const goOn = () => {
        asked += 1
        return Promise.resolve(asked < at)
      }
      const outcome = await writeBundle(
        second,
        { out: deep, cwd: '/' },
        worldOf(fastDisk, undefined, { goOn }),
      )
      if (outcome.kind === 'planned') {
        t.match(contentsOf(deep), textsOf(second))
        t.ok(at > 4, `after ${at - 1} moments`)
        break
      }
      t.same(outcome, {
        kind: 'given-up',
        now: there ? `${out} is as it was` : 'nothing was written',
      })
      t.same(contentsOf(folder), before)
    }
  }
})

t.test('who waits hears of being asked to end', async (t) => {
  const folder = t.testdir()
  const out = await usedBundle(folder)
  const { start } = machine()
  const [holder, waiter] = [start(), start()]
  let tried = false
  const goOn = async () => {
    if (tried) return true
    tried = true
    const impatient = worldOf(fastDisk, waiter, { goOn: () => Promise.resolve(false) })
    const outcome = await writeBundle(second, { out, cwd: '/' }, impatient)
    t.same(outcome, { kind: 'given-up', now: `${out} is as it was` })
    return true
  }
  await writeBundle(second, { out, cwd: '/' }, worldOf(fastDisk, holder, { goOn }))
  t.ok(tried)
})

t.test('two places for a workspace are one lock', async (t) => {
  const folder = t.testdir()
  const closed: Disk = { ...fastDisk, mayChange: (path) => path !== folder }
  for (const [name, theirs, ours] of [
    ['the other one works within', closed, fastDisk],
    ['the other one works beside', fastDisk, closed],
  ] as const) {
    const out = await usedBundle(folder)
    const { start } = machine()
    const [holder, waiter] = [start(), start()]
    let tried = false
    const goOn = async () => {
      if (tried) return true
      tried = true
      const outcome = await writeBundle(second, { out, cwd: '/' }, worldOf(ours, waiter))
      t.match(outcome, { kind: 'held', holder: { claim: { process: 1 } } }, name)
      return true
    }
    await writeBundle(second, { out, cwd: '/' }, worldOf(theirs, holder, { goOn }))
    t.ok(tried)
    t.same(contentsOf(out), usedSecond)
    t.same(readdirSync(folder), ['out'])
  }
})

t.test('whose workspace it is', async (t) => {
  const folder = t.testdir()
  const workspace = join(folder, '.out.winnode')
  const claim = (number: number) => new TextDecoder().decode(claimText(claimBy(number)))
  const plant = (files: Readonly<Record<string, string>>, mode = 0o755) => {
    mkdirSync(workspace)
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(workspace, name, '..'), { recursive: true })
      writeFileSync(join(workspace, name), text)
    }
    chmodSync(workspace, mode)
  }
  const huge = (name: string) => {
    plant({ [name]: '' })
    truncateSync(join(workspace, name), 2 ** 31 + 1)
  }
  const rows: readonly [name: string, make: () => void, outcome: object][] = [
    ['a dead run of this user', () => plant({ 'claim.1.json': claim(9) }), { kind: 'planned' }],
    [
      'others may have put something there',
      () => plant({ 'claim.1.json': claim(9) }, 0o777),
      { kind: 'in-the-way', workspace, holder: { claim: { process: 9 } } },
    ],
    [
      'an earlier claim is alive',
      () => plant({ 'claim.1.json': claim(1), 'claim.2.json': claim(9) }),
      { kind: 'held', holder: { claim: { process: 1 } } },
    ],
    ['a claim of more than 2 GiB', () => huge('claim.1.json'), { kind: 'in-the-way', workspace }],
    [
      'contents that cannot be read',
      () => plant({ 'claim.1.json': claim(9), 'work.1/contents.json': '{"kind":' }),
      { kind: 'planned', leftovers: [] },
    ],
    [
      'contents that lead out of it',
      () => {
        const piece = { path: '../../../out/mine/note.txt', sha256: digestOf('note'), size: 4 }
        const contents = { kind: 'BundleInProgress', fresh: [piece], old: [piece] }
        plant({ 'claim.1.json': claim(9), 'work.1/contents.json': JSON.stringify(contents) })
        mkdirSync(join(workspace, 'work.1/new/x'), { recursive: true })
      },
      { kind: 'planned', leftovers: [/\.out\.winnode-/] },
    ],
  ]
  if (process.platform === 'win32') return
  for (const [name, make, outcome] of rows) {
    const out = await usedBundle(folder)
    make()
    const { run, die } = machine().start()
    const knowing = { run: { ...run, standingOf: standingIn({ 1: 'alive', 9: 'dead' }) }, die }
    t.match(await writeBundle(second, { out, cwd: '/' }, worldOf(fastDisk, knowing)), outcome, name)
    const planned = 'kind' in outcome && outcome.kind === 'planned'
    t.same(contentsOf(out), planned ? usedSecond : usedFirst, name)
  }
})

function standingIn(table: Readonly<Record<number, Standing>>): (claim: Claim) => Standing {
  return (claim) => table[claim.process] ?? 'unknown'
}

t.test('what a killed run left beside a folder', async (t) => {
  const folder = t.testdir()
  const out = await usedBundle(folder)
  const make = (name: string, files: Readonly<Record<string, string>>) => {
    mkdirSync(join(folder, name), { mode: 0o755 })
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, name, file), text)
  }
  const { start } = machine()
  const dead = start('dead')
  const text = JSON.stringify({ kind: 'BundleClaim', ...dead.run.claim })
  make('.out.winnode-7-empty', {})
  make('.out.winnode-7-claimed', { 'claim.1.json': text })
  make('.out.winnode-7-other', { 'claim.1.json': text, note: 'mine' })
  make('.out.winnode-7-foreign', { note: 'mine' })
  const later = { now: () => Date.now() + 3_600_000 }
  const plan = await planBundle(second, { out, cwd: '/' }, worldOf(fastDisk, start(), later))
  t.equal(plan.kind === 'planned' && plan.leftovers.length, 3, 'reading names what is not empty')
  const outcome = await writeBundle(second, { out, cwd: '/' }, worldOf(fastDisk, start(), later))
  const left = ['.out.winnode-7-foreign', '.out.winnode-7-other']
  t.same(readdirSync(folder), [...left, 'out'], 'writing removes what is empty, or only claimed')
  t.same(
    outcome.kind === 'planned' && outcome.leftovers,
    left.map((name) => join(folder, name)),
    'and names the rest',
  )
})
