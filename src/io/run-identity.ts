// Run-identity: which process this is, and whether the process that left a claim still runs.
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Names one process among all that ever ran. What a system does not tell is empty. */
export interface Claim {
  readonly process: number
  readonly host: string
  /** The installation of the system: two machines may have the same host name. */
  readonly machine: string
  /** The start of the machine that the process runs in. */
  readonly boot: string
  /** The namespace of the number of the process: each container counts for itself. */
  readonly space: string
  /** When the process started: its number is given again to others. */
  readonly start: string
}

/** `unknown`: it ran where this process cannot look. What this process itself has left is `dead`. */
export type Standing = 'alive' | 'dead' | 'unknown'

export interface Run {
  readonly claim: Claim
  /** Numbers of the user and of the group; `undefined` on Windows. */
  readonly user: number | undefined
  readonly group: number | undefined
  readonly standingOf: (claim: Claim) => Standing
}

export function thisRun(): Run {
  const claim: Claim = {
    process: process.pid,
    host: hostname(),
    machine: textOf('/etc/machine-id'),
    boot: textOf('/proc/sys/kernel/random/boot_id'),
    space: orEmpty(() => readlinkSync('/proc/self/ns/pid')),
    start: startOf(process.pid) ?? '',
  }
  return {
    claim,
    user: process.geteuid?.(),
    group: process.getegid?.(),
    standingOf: (other) => standing(other, claim),
  }
}

function standing(other: Claim, own: Claim): Standing {
  if (other.host !== own.host || other.machine !== own.machine) return 'unknown'
  // Nothing outlives the start of its machine; without a machine's own mark it may be another one.
  if (other.boot !== own.boot) return own.machine === '' ? 'unknown' : 'dead'
  if (other.space !== own.space) return 'unknown'
  if (!exists(other.process)) return 'dead'
  const start = startOf(other.process)
  // Where the system hides the processes of others, nothing is known but that it is there.
  if (start === undefined) return 'alive'
  const itself = other.process === own.process
  return start === other.start && !itself ? 'alive' : 'dead'
}

function exists(process_: number): boolean {
  try {
    return process.kill(process_, 0)
  } catch (error) {
    // EPERM: it is there, and somebody else's.
    return error instanceof Error && 'code' in error && error.code !== 'ESRCH'
  }
}

/**
 * Ticks from the start of the machine to that of the process, empty for one that has ended and that
 * nobody has asked about yet. `undefined` where the system does not tell. Fields 3 and 22 of
 * https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html, counted after the name, which may hold anything.
 */
function startOf(process_: number): string | undefined {
  const stat = textOf(`/proc/${process_}/stat`)
  if (stat === '') return undefined
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return /^[ZXx]$/.test(fields[0] ?? '') ? '' : fields[19]
}

function textOf(file: string): string {
  return orEmpty(() => readFileSync(file, 'utf8').trim())
}

function orEmpty(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}
