// A bundle whose writing fails or dies: it is the old one or the new one, at every moment.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import t from 'tap'
import { planBundle, writeBundle } from '../../src/io/bundle.ts'
import { realWorld } from '../../src/io/bundle/world.ts'
import type { Disk } from '../../src/io/bundle/disk.ts'
import { bytes, contentsOf, textsOf } from './bundles.ts'
import { fastDisk, fullDisk, Killed, mortalDisk, systemError } from './disks.ts'
import type { Memory } from './memory-disk.ts'
import { memoryDisk, rememberedIn } from './memory-disk.ts'
import { machine, worldOf } from './worlds.ts'
import { fast, first, second, usedBundle, usedFirst, usedSecond } from './used-bundle.ts'

t.test(
  'a run that was cut off while it replaced files, and a folder that went away then',
  async (t) => {
    const folder = t.testdir()
    const { start } = machine()
    for (const moved of [false, true]) {
      const out = await usedBundle(folder)
      const dying = start()
      let count = 0
      const mortal: Disk = {
        ...fastDisk,
        rename: (from, to) => {
          fastDisk.rename(from, to)
          count += from.endsWith('README.md') ? 1 : 0
          if (count > 0) throw new Killed()
        },
      }
      const dies_ = {
        ...mortal,
        removeFile: dead,
        removeFolder: dead,
        carry: carryUntil(() => count),
      }
      await writeBundle(second, { out, cwd: '/' }, worldOf(dies_, dying)).catch(() => undefined)
      dying.die()
      t.ok(existsSync(join(folder, '.out.winnode')), 'it was cut off')
      if (moved) renameSync(out, join(folder, 'elsewhere'))
      else rmSync(out, { recursive: true })
      const outcome = await writeBundle(first, { out, cwd: '/' }, worldOf(fastDisk, start()))
      t.match(outcome, { kind: 'planned', conflicts: [] })
      t.match(contentsOf(out), textsOf(first))
      t.notOk(existsSync(join(folder, '.out.winnode')))
    }

    function dead(): void {
      throw new Killed()
    }
    function carryUntil(over: () => number): Disk['carry'] {
      return (from, to) => {
        if (over() > 0) throw new Killed()
        fastDisk.carry(from, to)
      }
    }
  },
)

t.test('a full disk leaves everything as it was', async (t) => {
  const folder = t.testdir()
  for (const at of [1, 2, 3, 4, 5]) {
    const out = await usedBundle(folder)
    await t.rejects(writeBundle(second, { out, cwd: '/' }, worldOf(fullDisk(at))), {
      message: `cannot write ${out}: the disk is full; ${out} is as it was`,
      code: 'ENOSPC',
      syscall: 'write',
    })
    t.same(contentsOf(out), usedFirst)
    t.same(readdirSync(folder), ['out'])
  }
  const out = await usedBundle(folder)
  const failing = (code: string, syscall: string) => () => {
    throw systemError(code, syscall)
  }
  const errors: readonly [operation: Partial<Disk>, message: string | RegExp][] = [
    [
      { rename: failing('EBUSY', 'rename') },
      `cannot write ${out}: it is in use: a program has it open, or a disk is mounted there; ${out} is as it was`,
    ],
    [
      { makeFolder: failing('EWHAT', 'mkdir') },
      `cannot write ${out}: EWHAT: mkdir; ${out} is as it was`,
    ],
    [
      { write: failing('EDQUOT', 'write') },
      `cannot write ${out}: the quota of the disk is used up; ${out} is as it was`,
    ],
    [
      { carry: failing('EROFS', 'link') },
      `cannot write ${out}: the disk is read-only; ${out} is as it was`,
    ],
    [
      // As below /proc, where that is so for ever.
      { makeFolder: failing('ENOENT', 'mkdir') },
      `cannot write ${out}: a folder on the way went away meanwhile; ${out} is as it was`,
    ],
    [
      {
        makeFolder: () => {
          throw new TypeError('a bug')
        },
      },
      'a bug',
    ],
  ]
  for (const [operation, message] of errors) {
    const world = worldOf({ ...fastDisk, ...operation })
    await t.rejects(writeBundle(second, { out, cwd: '/' }, world), { message })
    t.same(contentsOf(out), usedFirst)
    t.same(readdirSync(folder), ['out'])
  }
  await t.rejects(writeBundle(second, { out: join(folder, 'x'.repeat(250)), cwd: '/' }, fast), {
    message: /the name is too long; nothing was written$/,
  })
})

t.test('a change that fails is taken back, or completed by the next run', async (t) => {
  const folder = t.testdir()
  for (const stuck of [false, true]) {
    for (let at = 1; ; at += 1) {
      const out = await usedBundle(folder)
      const { start } = machine()
      const process_ = start()
      let count = 0
      const fails = () => {
        count += 1
        if (count === at || (stuck && count > at)) throw systemError('EIO', 'rename')
      }
      const inOut = (path: string) => realpathSync(join(path, '..')).startsWith(out)
      const disk: Disk = {
        ...fastDisk,
        rename: (from, to) => {
          if (inOut(to)) fails()
          fastDisk.rename(from, to)
        },
        carry: (from, to) => {
          if (inOut(to)) fails()
          fastDisk.carry(from, to)
        },
        removeFile: (path) => {
          if (inOut(path)) fails()
          fastDisk.removeFile(path)
        },
      }
      const outcome = await writeBundle(second, { out, cwd: '/' }, worldOf(disk, process_)).catch(
        (error: unknown) => (error instanceof Error ? error.message : error),
      )
      if (typeof outcome !== 'string') {
        t.ok(at > 4, `${at - 1} changes`)
        break
      }
      const part = outcome.includes('holds a part')
      if (!stuck) t.match(outcome, /the disk has a fault; .*out is as it was$/)
      if (!part) t.same(contentsOf(out), usedFirst, `${at}: as it was`)
      process_.die()
      const plan = await planBundle(second, { out, cwd: '/' }, worldOf(fastDisk, start()))
      t.match(plan, { kind: 'planned', conflicts: [] }, `${at}: no file is taken for somebody’s`)
      await writeBundle(second, { out, cwd: '/' }, worldOf(fastDisk, start()))
      t.same(contentsOf(out), usedSecond, `${at}: completed`)
      t.same(readdirSync(folder), ['out'])
    }
  }
})

/** Left by a run that died before its workspace had a name, or after; it is in nobody’s way. */
const litter = /^\/deep\/\.out\.winnode-[\w-]+(\/claim\.\d+\.json)?$/

function withoutLitter(memory: Memory): Memory {
  return new Map([...memory].filter(([path]) => !litter.test(path)))
}

t.test('a crash at any moment leaves the old bundle or the new one', async (t) => {
  const request = { out: '/deep/out', cwd: '/nowhere' }
  const others = ['/deep/out/mine', '/deep/out/mine/empty']
  const rows: readonly [name: string, prepare: (disk: Disk) => Promise<void>, foreign: boolean][] =
    [
      ['where nothing was', () => Promise.resolve(), false],
      [
        'where a bundle was',
        async (disk) => {
          await writeBundle(first, request, worldOf(disk, machine(0).start()))
        },
        false,
      ],
      [
        'where a bundle was among other things',
        async (disk) => {
          await writeBundle(first, request, worldOf(disk, machine(0).start()))
          for (const folder of others) disk.makeFolder(folder)
          disk.write('/deep/out/mine/note.txt', bytes('note'))
          disk.write('/deep/out/files/more.txt', bytes('more'))
        },
        true,
      ],
    ]
  for (const [name, prepare, foreign] of rows) {
    const memory: Memory = new Map([['/', undefined]])
    await prepare(memoryDisk(memory))
    const old = rememberedIn(memory, request.out)
    const copy: Memory = new Map(memory)
    const whole = mortalDisk(memoryDisk(copy))
    await writeBundle(second, request, worldOf(whole, machine(0).start()))
    const done = rememberedIn(copy, '/')
    const faults: string[] = []
    const settle = async (
      crashed: Memory,
      { start }: ReturnType<typeof machine>,
      moment: string,
    ) => {
      const before = rememberedIn(crashed, '/')
      const plan = await planBundle(second, request, worldOf(memoryDisk(crashed), start()))
      if (plan.kind !== 'planned' || plan.conflicts.length > 0)
        faults.push(`${moment}: ${plan.kind}`)
      if (rememberedIn(crashed, '/') !== before) faults.push(`${moment}: reading changed something`)
      // Where all is ours, the folder that is read is whole at every moment.
      if (plan.kind === 'planned' && !foreign) {
        const found = rememberedIn(crashed, plan.folder)?.replaceAll(plan.folder, request.out)
        const states = [old, rememberedIn(copy, request.out)]
        if (!states.includes(found)) faults.push(`${moment}: half a bundle`)
      }
      await writeBundle(second, request, worldOf(memoryDisk(crashed), start()))
      const end = rememberedIn(withoutLitter(crashed), '/')
      if (end !== done) faults.push(`${moment}: the end`)
    }
    for (let at = 1; at <= whole.count(); at += 1) {
      for (const death of ['before', 'torn', 'after'] as const) {
        const processes = machine(0)
        const crashed: Memory = new Map(memory)
        const victim = processes.start()
        const disk = mortalDisk(memoryDisk(crashed), at, death)
        const died = await dies(() => writeBundle(second, request, worldOf(disk, victim)))
        if (!died) faults.push(`${at}: lives`)
        victim.die()
        await settle(new Map(crashed), processes, `${death} ${at}`)
        if (death !== 'before') continue
        for (let later = 1 + (at % 4); ; later += 4) {
          const again: Memory = new Map(crashed)
          const heir = processes.start()
          const repairer = mortalDisk(memoryDisk(again), later, 'after')
          const diedToo = await dies(() => writeBundle(second, request, worldOf(repairer, heir)))
          heir.die()
          await settle(again, processes, `${death} ${at}, then ${later}`)
          if (!diedToo) break
        }
      }
    }
    t.same(faults.slice(0, 10), [], `${name}: ${whole.count()} moments`)
    t.ok(whole.count() > 8)
  }
})

async function dies(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return false
  } catch (error) {
    if (error instanceof Killed) return true
    throw error
  }
}

const posixOnly = { skip: process.platform === 'win32' && 'Windows has no SIGKILL' }

t.test('a killed process leaves a whole bundle', posixOnly, async (t) => {
  const folder = t.testdir()
  const script = join(folder, 'writer.mjs')
  await build({
    entryPoints: [fileURLToPath(new URL('endless-writer.ts', import.meta.url))],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
  })
  const kill = async (delay: number, foreign: boolean) => {
    const parent = join(folder, `after-${delay}`)
    const out = join(parent, 'out')
    if (foreign) {
      mkdirSync(out, { recursive: true })
      writeFileSync(join(out, 'mine'), 'mine')
    }
    const child = spawn(process.execPath, [script, out], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    await sleep(delay)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const plan = await planBundle(first, { out, cwd: '/' })
    t.equal(plan.kind, 'planned')
    if (plan.kind === 'planned' && !foreign) {
      const found = contentsOf(plan.folder) ?? {}
      t.ok(['odd', 'even'].includes(found['a.txt'] ?? ''), `after ${delay} ms`)
      t.equal(found['files/b.txt'], found['a.txt'], 'all files are from one bundle')
    }
    await writeBundle(first, { out, cwd: '/' }, realWorld())
    const names = contentsOf(out) ?? {}
    if (foreign) t.equal(names['mine'], 'mine')
    t.match(names, textsOf(first), 'the next run completes it')
    const beside = readdirSync(parent).filter((name) => !name.startsWith('.out.winnode-'))
    t.same(beside, ['out'], 'nothing is left beside it')
  }
  await Promise.all([0, 3, 7].map((delay) => kill(delay, false)))
  await Promise.all([1, 4, 8].map((delay) => kill(delay, true)))
})
