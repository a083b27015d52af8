// Orders in which things happen to a node, drawn from a seed: alone, two at once, or with runs that are killed.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { secondsOf, settles, tick, type Days } from './days.ts'
import type { HostEvent } from './events.ts'
import { watched } from './kills.ts'

/** Numbers below 1, always the same for a seed: mulberry32. */
export function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** These can happen during a run: none restarts the machine or lets time pass. */
const sudden = new Set(['address', 'second-route', 'hns', 'lists', 'containerd-ends', 'disk'])

interface Lived {
  readonly name: string
  /** Empty where the node is well in the time promised. */
  readonly wrong: string
}

/** Something happens, drawn from what may; machines that continue after an abort are in a folder. */
export async function lives(
  days: Days,
  from: readonly HostEvent[],
  draw: () => number,
  folder: string,
): Promise<Lived> {
  const { host } = days
  const pick = (some: readonly HostEvent[]): HostEvent => {
    const event = some[Math.floor(draw() * some.length)]
    if (event === undefined) throw new Error('nothing may happen')
    return event
  }
  const first = pick(from)
  const names = [first.id]
  // The loop may find another cause.
  let minutes = first.idle ? 35 : first.minutes
  let began = await secondsOf(host)
  await host.ps(first.does(draw()))
  if (first.lasts === undefined) began = await secondsOf(host)
  let over = began + (first.lasts ?? 0)

  const shape = draw()
  if (shape < 0.4) {
    const second = pick(from.filter(({ id }) => sudden.has(id)))
    const after = draw() * 400
    names.push(`${second.id} after ${after.toFixed(0)} s`)
    minutes += second.idle ? 35 : second.minutes
    over = Math.max(over, (await secondsOf(host)) + after)
    await host.ps(`Add-HostDue -After $with.after -Name script -Subject $with.script`, {
      after,
      script: second.does(draw()),
    })
  } else if (shape < 0.8) {
    const at = 1 + Math.floor(draw() * 30)
    const there = await cut(days, at, folder, async () => tick(host))
    if (there) names.push(`the loop is killed at moment ${at}`)
    if (there && draw() < 0.4) names.push(await restarts(days))
    minutes += 5
    over = Math.max(over, await secondsOf(host))
  }
  const { byHand } = first
  if (byHand) {
    const at = 1 + Math.floor(draw() * 60)
    // Something else that happens meanwhile may end what a person runs.
    const tries = async () => byHand(days).catch(() => undefined)
    const there = draw() < 0.6 && (await cut(days, at, folder, tries))
    if (there) {
      names.push(`what a person runs is killed at moment ${at}`)
      if (draw() < 0.5) names.push(await restarts(days))
      await tick(host)
    }
    // Then the user reruns it, some minutes later.
    await byHand(days).catch(async () => {
      await tick(host)
      await byHand(days)
    })
    // What was drawn beside it may still come.
    over = Math.max(over, await secondsOf(host))
  }
  const { wrong } = await settles(days, { minutes }, over)
  return { name: names.join(', '), wrong }
}

async function restarts({ host }: Days): Promise<string> {
  await host.restart()
  return 'the machine restarts'
}

/** A run that is cut off at the Nth moment, where it has so many. */
async function cut(
  days: Days,
  at: number,
  folder: string,
  run: () => Promise<unknown>,
): Promise<boolean> {
  const { host } = days
  const kept = path.join(folder, `cut-${readdirSync(folder).length}`)
  const call = 'Watch-HostCut -Folder $with.kept -Function $with.watched -At $with.at'
  await host.ps(call, { kept, watched, at })
  await run()
  const done = await host.ps<{ kept: number }>('Complete-HostBoundary')
  if (done.kept === 0) return false
  await host.restore(kept)
  days.drive = path.join(kept, 'c')
  return true
}
