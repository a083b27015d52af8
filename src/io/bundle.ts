// Plans and writes the files of a bundle, with one run at a time per folder.
import { mkdirSync, renameSync, rmdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkBundlePaths } from '../model/bundle-path.ts'
import type { RenderedFile } from '../model/plan.ts'
import { baseOf } from './bundle/staging.ts'
import { Stopped, type Held, type Patience, takeLock, whenFree } from './bundle/lock.ts'
import type { Planned, Refused, WriteRequest } from './bundle/plan-changes.ts'
import { Changed, isWritten, pathOf, planChanges } from './bundle/plan-changes.ts'
import { leftBeside, remove, type Work, write } from './bundle/write.ts'
import { writeError, folderState } from './disk-error.ts'
import { ignoreErrors, codeOf, lstat } from './disk.ts'

export type Written =
  | Refused
  | Held
  | Planned
  /** Another program changed the folder during every retry. */
  | { readonly kind: 'unsettled' }
  /** `shouldContinue` returned false; `now` describes the state of the folder. */
  | { readonly kind: 'stopped'; readonly now: string }

/** Plans the changes of a write, and writes nothing. */
export async function planBundle(
  files: readonly RenderedFile[],
  request: WriteRequest,
  patience: Patience = {},
): Promise<Written> {
  const now = lstat(pathOf(request)) ? 'old' : 'nothing'
  return await retried(request, { now }, () => planOnce(files, request, patience))
}

async function planOnce(
  files: readonly RenderedFile[],
  request: WriteRequest,
  patience: Patience,
): Promise<Refused | Held | Planned> {
  checkBundlePaths(files.map(({ path }) => path))
  const out = pathOf(request)
  return (await whenFree(lockOf(out), patience)) ?? planLocked(files, request, baseOf(out))
}

/** Writes nothing if there are conflicts, or if nothing changes. */
export function writeBundle(
  files: readonly RenderedFile[],
  request: WriteRequest,
  patience: Patience = {},
): Promise<Written> {
  const out = pathOf(request)
  const { shouldContinue = () => Promise.resolve(true) } = patience
  const work: Work = { out, base: '', id: '', shouldContinue, now: 'nothing' }
  return retried(request, work, async () => {
    work.now = lstat(out) ? 'old' : 'nothing'
    const plan = await planOnce(files, request, patience)
    if (plan.kind !== 'planned' || plan.conflicts.length > 0) return plan
    const base = baseOf(out)
    if (isWritten(plan) && leftBeside(out, base).length === 0 && !lstat(`${base}.lock`)) return plan
    const parents = mkdirSync(dirname(out), { recursive: true })
    try {
      const lock = await takeLock(`${base}.lock`, patience)
      if (lock.kind !== 'locked') return lock
      try {
        return await writeLocked(files, request, Object.assign(work, { base, id: lock.id }))
      } finally {
        lock.release()
      }
    } finally {
      if (parents !== undefined && !lstat(out)) removeParents(dirname(out), parents)
    }
  })
}

async function writeLocked(
  files: readonly RenderedFile[],
  request: WriteRequest,
  work: Work,
): Promise<Written> {
  const { out, base } = work
  for (const { path, isHalf } of leftBeside(out, base)) {
    const fresh = join(path, 'new')
    if (isHalf) renameSync(fresh, out)
    if (!lstat(fresh)) remove(path, out)
  }
  work.now = lstat(out) ? 'old' : 'nothing'
  const plan = planLocked(files, request, base)
  if (plan.kind === 'refused' || plan.conflicts.length > 0) return plan
  if (!(await work.shouldContinue())) throw new Stopped()
  if (!isWritten(plan)) await write(work, files, plan)
  // Leftovers of other runs go last: their manifests identify files that winnode wrote.
  for (const { path } of leftBeside(out, base)) remove(path, out)
  return { ...plan, leftovers: leftBeside(out, base).map(({ path }) => path) }
}

function planLocked(
  files: readonly RenderedFile[],
  request: WriteRequest,
  base: string,
): Planned | Refused {
  const out = pathOf(request)
  const left = leftBeside(out, base)
  const half = left.find(({ isHalf }) => isHalf)
  const folder = half === undefined ? out : join(half.path, 'new')
  try {
    return planChanges(files, request, {
      folder,
      begun: left.map(({ path }) => join(path, 'new')),
      except: [`${base}.lock`, ...left.map(({ path }) => path)].map((path) => basename(path)),
    })
  } catch (error) {
    // Another program removed a file, or replaced it with a link, while the folder was read.
    throw /^(?:ENOENT|ENOTDIR|ELOOP)$/.test(codeOf(error) ?? '') ? new Changed() : error
  }
}

/** Retries if another program changes the folder meanwhile, or removes parent folders that were created. */
async function retried(
  request: WriteRequest,
  state: Pick<Work, 'now'>,
  work: () => Promise<Written>,
): Promise<Written> {
  const { out } = request
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Stopped) return { kind: 'stopped', now: folderState(out, state.now) }
      const isTransient = error instanceof Changed || codeOf(error) === 'ENOENT'
      if (tries === 5 && error instanceof Changed)
        return (await whenFree(lockOf(pathOf(request)), { patience: 0 })) ?? { kind: 'unsettled' }
      if (tries === 5 || !isTransient) throw writeError(error, out, state.now) ?? error
    }
    await sleep(20 * tries)
  }
}

function lockOf(out: string): string {
  return `${baseOf(out)}.lock`
}

function removeParents(folder: string, first: string): void {
  ignoreErrors(() => {
    rmdirSync(folder)
    if (folder !== first) removeParents(dirname(folder), first)
  })
}
