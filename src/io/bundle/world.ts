// World: what writing needs of the world around it.
import type { Run } from '../run-identity.ts'
import { thisRun } from '../run-identity.ts'
import type { Disk } from './disk.ts'
import { realDisk } from './disk.ts'

export interface World {
  readonly disk: Disk
  readonly run: Run
  readonly wait: (milliseconds: number) => Promise<void>
  /** At least 0 and below 1, and unlike that of other runs. */
  readonly random: () => number
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Asked where the work can end without a loss; false ends it there. */
  readonly goOn: () => Promise<boolean>
}

export function realWorld(goOn: World['goOn'] = () => Promise.resolve(true)): World {
  const wait = (milliseconds: number) =>
    new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
  return { disk: realDisk, run: thisRun(), wait, random: Math.random, now: Date.now, goOn }
}

/** `goOn` was answered with false, before anything was changed. */
export class GivenUp extends Error {}

/** Part of a name that no other run uses, and this one only once. */
export function uniqueTo({ run, random }: World): string {
  return `${run.claim.process}-${random().toString(36).slice(2, 10)}`
}
