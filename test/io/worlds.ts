// Worlds for tests: processes that write one after the other, or die, on a disk of the test's.
import type { World } from '../../src/io/bundle/world.ts'
import type { Disk } from '../../src/io/bundle/disk.ts'
import type { Claim, Run, Standing } from '../../src/io/run-identity.ts'
import { thisRun } from '../../src/io/run-identity.ts'

export interface Process {
  readonly run: Run
  /** From now on nothing is heard of it. */
  readonly die: () => void
}

/** Of a process of that machine. */
export function claimBy(number: number): Claim {
  return { process: number, host: 'test', machine: 'm', boot: 'b', space: 's', start: '1' }
}

/** Processes of one machine, which know of each other whether they live. */
export function machine(user: number | undefined = thisRun().user) {
  const standings = new Map<number, Standing>()
  return {
    start: (standing: Standing = 'alive'): Process => {
      const number = standings.size + 1
      standings.set(number, standing)
      const claim = claimBy(number)
      const standingOf = (other: Claim): Standing => standings.get(other.process) ?? 'unknown'
      const run = { claim, user, group: user, standingOf }
      return { run, die: () => standings.set(number, 'dead') }
    },
  }
}

/** Waits for nobody: `wait` counts what it would have waited. */
export function worldOf(disk: Disk, { run } = machine().start(), more: Partial<World> = {}): World {
  let count = 0
  const random = () => {
    count += 1
    return ((count * 0.618_033_988_7) % 1) * 0.999
  }
  const world = {
    disk,
    run,
    random,
    now: () => 0,
    wait: () => Promise.resolve(),
    goOn: () => Promise.resolve(true),
  }
  return { ...world, ...more }
}
