// A bundle whose writing fails or is killed: what remains, and that the next run completes it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, { cpSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import t from 'tap'
import { planBundle, writeBundle } from '../../src/io/bundle.ts'
import { contentsOf, textsOf } from './bundles.ts'
import { type Death, failing, mortal, type Operation } from './disks.ts'
import {
  first,
  plainBundle,
  plainFirst,
  plainSecond,
  second,
  usedBundle,
  usedFirst,
  usedSecond,
} from './used-bundle.ts'

/** The whole new bundle of a run that died between two renames is beside the folder. */
function bundleIn(folder: string) {
  const found = contentsOf(join(folder, 'out'))
  if (found) return found
  const staged = readdirSync(folder).find((name) => contentsOf(join(folder, name, 'old')))
  return staged === undefined ? undefined : contentsOf(join(folder, staged, 'new'))
}

const others = { 'files/more.txt': 'more', mine: '/', 'mine/empty': '/', 'mine/note.txt': 'note' }

t.test('killed at any moment', async (t) => {
  const home = t.testdir()
  const rows: readonly [name: string, prepare: (out: string) => Promise<void>, foreign: boolean][] =
    [
      ['where nothing was', () => Promise.resolve(), false],
      [
        'where a bundle was',
        async (out) => {
          await writeBundle(first, { out, cwd: '/' })
        },
        false,
      ],
      [
        'where a bundle was among other things',
        async (out) => {
          await writeBundle(first, { out, cwd: '/' })
          mkdirSync(join(out, 'mine/empty'), { recursive: true })
          writeFileSync(join(out, 'mine/note.txt'), 'note')
          writeFileSync(join(out, 'files/more.txt'), 'more')
        },
        true,
      ],
    ]
  for (const [name, prepare, foreign] of rows) {
    const template = join(home, 'template')
    const [folder, again] = [join(home, 'once'), join(home, 'twice')]
    rmSync(template, { recursive: true, force: true })
    mkdirSync(template)
    await prepare(join(template, 'out'))
    const old = contentsOf(join(template, 'out'))
    const fresh = { ...plainSecond, ...(foreign && others) }
    const restore = (from: string, to: string) => {
      rmSync(to, { recursive: true, force: true })
      cpSync(from, to, { recursive: true, preserveTimestamps: true })
    }
    const write = (files: typeof first, to: string) => () =>
      writeBundle(files, { out: join(to, 'out'), cwd: '/' })
    restore(template, folder)
    const { count } = await mortal(write(second, folder))
    t.strictSame(contentsOf(join(folder, 'out')), fresh, `${name}: written`)
    t.ok(count > 20, `${count} moments`)
    const faults: string[] = []
    const textOf = (contents: ReturnType<typeof contentsOf>) =>
      contents && JSON.stringify(Object.entries(contents).sort())
    const settle = async (at: string, moment: string) => {
      const found = bundleIn(at)
      const isWhole = [old, fresh, plainFirst].some((one) => textOf(one) === textOf(found))
      if (!foreign && !isWhole) faults.push(`${moment}: half a bundle`)
      const before = JSON.stringify(contentsOf(at))
      // Another bundle than the one that was begun: no half-written file is taken for an edit.
      const plan = await planBundle(first, { out: join(at, 'out'), cwd: '/' })
      if (plan.kind !== 'planned' || plan.conflicts.length > 0)
        faults.push(`${moment}: ${plan.kind} ${JSON.stringify(plan)}`)
      if (JSON.stringify(contentsOf(at)) !== before) faults.push(`${moment}: reading changed it`)
      await write(second, at)()
      const end: Readonly<Record<string, string>> = contentsOf(join(at, 'out')) ?? {}
      const wanted: Readonly<Record<string, string>> = fresh
      const paths = [...new Set([...Object.keys(end), ...Object.keys(wanted)])]
      // A folder may stay that was created just then, and is empty.
      const isLeft = (path: string) => end[path] === '/' && wanted[path] === undefined
      for (const path of paths.filter((one) => end[one] !== wanted[one] && !isLeft(one)))
        faults.push(`${moment}: at the end ${path} is ${end[path]}`)
      const left = readdirSync(at).filter((one) => one !== 'out')
      if (left.length > 0) faults.push(`${moment}: left ${left.join()}`)
    }
    for (let at = 1; at <= count; at += 1) {
      for (const death of ['before', 'torn', 'after'] as readonly Death[]) {
        restore(template, folder)
        await mortal(write(second, folder), at, death)
        if (death === 'after') {
          for (let later = 1 + (at % 13); ; later += 13) {
            restore(folder, again)
            const heir = await mortal(write(first, again), later, 'after')
            await settle(again, `${death} ${at}, then ${later}`)
            if (!heir.died) break
          }
        }
        await settle(folder, `${death} ${at}`)
      }
    }
    t.strictSame(faults.slice(0, 5), [], `${name}: ${count} moments`)
  }
})

t.test('killed, and then the folder was moved away', async (t) => {
  const folder = t.testdir()
  for (const prepare of [plainBundle, usedBundle]) {
    for (const moved of [false, true]) {
      const out = await prepare(folder)
      const { count } = await mortal(() => writeBundle(second, { out, cwd: '/' }))
      await prepare(folder)
      await mortal(() => writeBundle(second, { out, cwd: '/' }), count - 4, 'after')
      if (moved) renameSync(out, join(folder, 'elsewhere'))
      else rmSync(out, { recursive: true })
      const outcome = await writeBundle(first, { out, cwd: '/' })
      t.match(outcome, { kind: 'planned', conflicts: [] })
      t.match(contentsOf(out), textsOf(first))
      t.strictSame(readdirSync(folder), moved ? ['elsewhere', 'out'] : ['out'])
    }
  }
})

t.test('modified by hand after a kill', async (t) => {
  const folder = t.testdir()
  const out = await usedBundle(folder)
  const { count } = await mortal(() => writeBundle(second, { out, cwd: '/' }))
  await usedBundle(folder)
  await mortal(() => writeBundle(second, { out, cwd: '/' }), count - 3, 'after')
  writeFileSync(join(out, 'README.md'), 'by hand')
  const plan = await writeBundle(second, { out, cwd: '/' })
  t.match(plan, { conflicts: [{ path: 'README.md', change: 'edited' }] })
  t.equal(contentsOf(out)?.['README.md'], 'by hand')
})

t.test('a full disk leaves everything as it was', async (t) => {
  const folder = t.testdir()
  for (const prepare of [plainBundle, usedBundle]) {
    for (let at = 1; ; at += 1) {
      const out = await prepare(folder)
      const before = contentsOf(folder)
      const work = () =>
        writeBundle(second, { out, cwd: '/' }).catch((error: unknown) => (error as Error).message)
      const said = await failing('writeFile', 'ENOSPC', work, (count) => count === at)
      if (typeof said !== 'string') {
        t.ok(at > 3, `${at - 1} files`)
        break
      }
      t.equal(said, `cannot write ${out}: the disk is full; ${out} is as it was`)
      t.strictSame(contentsOf(folder), before)
    }
  }
})

t.test('errors of the disk', async (t) => {
  const folder = t.testdir()
  const rows: readonly [operation: Operation, code: string, message: string][] = [
    ['writeFileSync', 'ENOSPC', 'the disk is full'],
    ['writeFile', 'EDQUOT', 'the quota of the disk is used up'],
    ['fsync', 'EIO', 'the disk has a fault'],
    ['openSync', 'EROFS', 'the disk is read-only'],
    ['mkdirSync', 'EWHAT', 'EWHAT: mkdirSync'],
    ['mkdirSync', 'ENOENT', 'a folder on the way is missing, and cannot be created'],
  ]
  for (const [operation, code, message] of rows) {
    const out = await usedBundle(folder)
    await t.rejects(
      failing(operation, code, () => writeBundle(second, { out, cwd: '/' })),
      { message: `cannot write ${out}: ${message}; ${out} is as it was` },
    )
    t.strictSame(contentsOf(out), usedFirst)
    t.strictSame(readdirSync(folder), ['out'])
  }
  await t.rejects(writeBundle(second, { out: join(folder, 'x'.repeat(250)), cwd: '/' }), {
    message: /the name is too long; nothing was written$/,
  })
})

t.test('an unknown error while the folder is read is reported once', async (t) => {
  const out = await usedBundle(t.testdir())
  const { readdirSync: real } = fs
  const error = Object.assign(new Error('EWHAT: scandir'), { code: 'EWHAT', syscall: 'scandir' })
  const failed = () => {
    throw error
  }
  Object.assign(fs, { readdirSync: failed })
  syncBuiltinESMExports()
  try {
    const message = await writeBundle(second, { out, cwd: '/' }).then(String, (thrown: unknown) =>
      thrown instanceof Error ? thrown.message : thrown,
    )
    t.equal(message, `cannot write ${out}: EWHAT: scandir; ${out} is as it was`)
  } finally {
    Object.assign(fs, { readdirSync: real })
    syncBuiltinESMExports()
  }
})

t.test('a change that fails is completed by the next run', async (t) => {
  const folder = t.testdir()
  for (const operation of ['renameSync', 'unlinkSync'] as const) {
    for (let at = 1; ; at += 1) {
      const out = await usedBundle(folder)
      const work = () =>
        writeBundle(second, { out, cwd: '/' }).catch((error: unknown) => (error as Error).message)
      let changes = 0
      const fits = (_: number, [name]: readonly unknown[]) => {
        // Not the removal of a lock.
        if (operation === 'unlinkSync' && !/^[a-z]+\.txt$/.test(String(name))) return false
        changes += 1
        return changes === at
      }
      const said = await failing(operation, 'EIO', work, fits)
      if (typeof said !== 'string') {
        t.ok(at > 2, `${operation}: ${at - 1} changes`)
        break
      }
      if (said.endsWith('is as it was'))
        t.strictSame(contentsOf(out), usedFirst, `${at}: as it was`)
      else t.match(said, 'holds a part of the new bundle, and the next run completes it')
      const plan = await planBundle(first, { out, cwd: '/' })
      t.match(plan, { kind: 'planned', conflicts: [] }, `${at}: no file is taken for an edit`)
      await writeBundle(second, { out, cwd: '/' })
      t.strictSame(contentsOf(out), usedSecond, `${at}: completed`)
      t.strictSame(readdirSync(folder), ['out'])
    }
  }
})

t.test('a system that does not move the folder', async (t) => {
  const folder = t.testdir()
  for (const code of ['EXDEV', 'EBUSY', 'EPERM', 'EACCES']) {
    const out = await plainBundle(folder)
    const isFolder = (_: number, [, to]: readonly unknown[]) => to === 'old'
    await failing('renameSync', code, () => writeBundle(second, { out, cwd: '/' }), isFolder)
    t.strictSame(contentsOf(out), plainSecond, `${code}: file by file`)
    t.strictSame(readdirSync(folder), ['out'])
  }
})

t.test('files added to a folder that was moved away', async (t) => {
  const folder = t.testdir()
  const out = await plainBundle(folder)
  const { count } = await mortal(() => writeBundle(second, { out, cwd: '/' }))
  let added = false
  for (let at = count; at > 0 && !added; at -= 1) {
    await plainBundle(folder)
    await mortal(() => writeBundle(second, { out, cwd: '/' }), at, 'after')
    const staging = readdirSync(folder).find((name) => contentsOf(join(folder, name, 'old')))
    if (staging === undefined) continue
    added = true
    writeFileSync(join(folder, staging, 'old/note.txt'), 'note')
    writeFileSync(join(folder, staging, 'old/README.md'), 'edited')
    const outcome = await writeBundle(second, { out, cwd: '/' })
    t.match(outcome, { kind: 'planned', leftovers: [join(folder, staging)] }, 'is named')
    t.equal(contentsOf(join(folder, staging))?.['old/note.txt'], 'note', 'and stays')
    t.equal(contentsOf(join(folder, staging))?.['old/README.md'], 'edited', 'so does an edit')
    t.strictSame(contentsOf(out), plainSecond)
  }
  t.ok(added)
})

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
    mkdirSync(parent)
    if (foreign) {
      mkdirSync(out)
      writeFileSync(join(out, 'mine'), 'mine')
    }
    const child = spawn(process.execPath, [script, out], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    await sleep(delay)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const plan = await planBundle(first, { out, cwd: '/' })
    t.equal(plan.kind, 'planned')
    if (!foreign) {
      const found = bundleIn(parent) ?? {}
      t.ok(['odd', 'even'].includes(found['a.txt'] ?? ''), `after ${delay} ms`)
      t.equal(found['files/b.txt'], found['a.txt'], 'all files are from one bundle')
    }
    await writeBundle(first, { out, cwd: '/' })
    const names = contentsOf(out) ?? {}
    if (foreign) t.equal(names['mine'], 'mine')
    t.match(names, textsOf(first), 'the next run completes it')
    t.strictSame(readdirSync(parent), ['out'], 'nothing is left beside it')
  }
  await Promise.all([0, 3, 7].map((delay) => kill(delay, false)))
  await Promise.all([1, 4, 8].map((delay) => kill(delay, true)))
})

t.test('a file that a power cut has emptied is found by its digest', async (t) => {
  const out = await plainBundle(t.testdir())
  writeFileSync(join(out, 'README.md'), '')
  const plan = await planBundle(first, { out, cwd: '/' })
  t.match(plan, { conflicts: [{ path: 'README.md', change: 'edited' }] })
  await writeBundle(first, { out, cwd: '/', force: true })
  t.match(contentsOf(out), textsOf(first))
})
