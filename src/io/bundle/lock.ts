// The lock file of a folder, and run ids, which show whether the run that holds it is still alive.
import { closeSync, fstatSync, openSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { digestOf } from '../../render/digest.ts'
import { ignoreErrors, codeOf, lstat, readAtMost } from '../disk.ts'
import { parseObject } from '../../model/json.ts'

interface Holder {
  readonly host: string
  readonly process: number
  /** Start time of the process, because the system reuses process ids. */
  readonly start: string
}

export interface Held {
  readonly kind: 'held'
  readonly lock: string
  /** Time of the lock, in milliseconds since 1970. */
  readonly since: number
  /** `undefined` where the file is not winnode's. */
  readonly holder: Holder | undefined
}

interface Locked {
  readonly kind: 'locked'
  /** Identifies the run in file names. */
  readonly id: string
  readonly release: () => void
}

export interface Patience {
  /** Maximum wait for another run, in milliseconds; a render holds the lock for a fraction of the default. */
  readonly patience?: number
  /** Called at points where the work can stop without data loss; false stops it. */
  readonly shouldContinue?: () => Promise<boolean>
}

/** `shouldContinue` returned false. */
export class Stopped extends Error {}

const host = hostname()
const own: Holder = {
  host,
  process: process.pid,
  start: startOf(process.pid) ?? String(Math.round(performance.timeOrigin)),
}
let locks = 0

function idOf({ host: name, process: number, start }: Holder, count = 0): string {
  return `${digestOf(name).slice(0, 8)}-${number}-${start}-${count}`
}

/** Whether the run whose id is in a file name is over; one on another host may go on. Leftovers of this process count as dead. */
export function isDeadRun(id: string): boolean {
  const [, digest, number, start] = /^([\da-f]{8})-(\d+)-(\d+)-\d+$/.exec(id) ?? []
  if (digest !== digestOf(host).slice(0, 8)) return false
  if (Number(number) === process.pid || !exists(Number(number))) return true
  const found = startOf(Number(number))
  return found !== undefined && found !== start
}

/** Waits until no other run holds the lock. A lock of a dead run on this host is ignored. */
export async function whenFree(
  path: string,
  { patience = 2000, shouldContinue }: Patience,
): Promise<Held | undefined> {
  for (let waited = 0; ;) {
    const held = heldAt(path)
    if (!held || isDead(held)) return undefined
    if (waited >= patience) return held
    const time = 20 + Math.round(60 * Math.random())
    await sleep(time)
    if (shouldContinue && !(await shouldContinue())) throw new Stopped()
    waited += time
  }
}

/** Waits like `whenFree`. The folder of the lock must exist. */
export async function takeLock(path: string, patience: Patience): Promise<Locked | Held> {
  locks += 1
  for (let tries = 1; !create(path); tries += 1) {
    const held = await whenFree(path, patience)
    const guard = held ? undefined : evict(path)
    const busy = held ?? (guard === undefined ? undefined : await whenFree(guard, patience))
    if (busy) return busy
    await sleep(tries)
  }
  const release = () => {
    ignoreErrors(() => {
      // The lock may have been deleted by hand, and taken by another run since.
      if (heldAt(path)?.holder?.process === process.pid) unlinkSync(path)
    })
  }
  return { kind: 'locked', id: idOf(own, locks), release }
}

/** Creates a lock file; false if it exists. */
function create(path: string): boolean {
  let open: number
  try {
    open = openSync(path, 'wx', 0o644)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
  try {
    const document = { apiVersion: 'winnode/v1', kind: 'BundleLock', ...own }
    writeFileSync(open, `${JSON.stringify(document)}\n`)
    // Another run may have removed the lock as abandoned while it was empty.
    return lstat(path)?.ino === fstatSync(open).ino
  } catch (error) {
    unlinkSync(path)
    throw error
  } finally {
    closeSync(open)
  }
}

/**
 * Removes the lock of a dead run, under a guard: a second lock, named after the dead run. Without the guard, a slow run
 * could remove the lock of the next run. Returns the path of the guard if another run holds it.
 */
function evict(path: string): string | undefined {
  const dead = heldAt(path)
  if (!dead?.holder || !isDead(dead)) return undefined
  const guard = `${path}.${idOf(dead.holder)}`
  if (!create(guard)) return evict(guard) ?? guard
  const now = heldAt(path)?.holder
  if (now && idOf(now) === idOf(dead.holder)) unlinkSync(path)
  unlinkSync(guard)
  return undefined
}

/** An empty lock belongs to a run that is about to write its id; after a second, to one that was killed. */
const emptyLimit = 1000
const killedRun: Holder = { host, process: 0, start: '0' }

/** `undefined` without a lock. */
function heldAt(path: string): Held | undefined {
  try {
    const stats = lstat(path)
    if (!stats) return undefined
    const since = stats.mtimeMs
    const content = stats.isFile() ? readAtMost(path) : undefined
    const isAbandoned = content?.length === 0 && Date.now() - since > emptyLimit
    const holder = isAbandoned ? killedRun : content && holderIn(content)
    return { kind: 'held', lock: path, since, holder }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function holderIn(content: Uint8Array): Holder | undefined {
  const document = parseObject(new TextDecoder().decode(content)) ?? {}
  const { kind, host: name, process: number, start } = document
  if (kind !== 'BundleLock' || typeof name !== 'string' || typeof start !== 'string')
    return undefined
  // Both become part of a file name.
  const fits = Number.isSafeInteger(number) && /^\d+$/.test(start)
  return fits ? { host: name, process: Number(number), start } : undefined
}

function isDead({ holder }: Held): boolean {
  return holder !== undefined && isDeadRun(idOf(holder))
}

function exists(number: number): boolean {
  try {
    return number > 0 && process.kill(number, 0)
  } catch (error) {
    // EPERM: the process exists, and belongs to another user.
    return codeOf(error) !== 'ESRCH'
  }
}

/**
 * Start time of a process, in clock ticks since boot; empty for a zombie, `undefined` if the system has no /proc.
 * Fields 3 and 22 of https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html, counted after the process name,
 * which can contain any characters.
 */
function startOf(number: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${number}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return /^[ZXx]$/.test(fields[0] ?? '') ? '' : fields[19]
  } catch {
    return undefined
  }
}
