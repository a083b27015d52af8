// Days of a node, not minutes: after each thing that happens, services and pod network are back in the time promised.
import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Test } from 'tap'
import { ownFolders, reset, stays } from '../host/course.ts'
import { concerns, lacks, member, pods, secondsOf, settles, tick, type Days } from '../host/days.ts'
import { events, type HostEvent } from '../host/events.ts'
import { lives, numbers } from '../host/orders.ts'
import { differences, trouble } from '../host/host.ts'
import { isInstalled } from '../host/rendered.ts'
import { scenario, scenarioOfAll, type Stage } from '../host/stage.ts'
import { everything as all } from '../tools/everything.ts'
import { root } from '../tools/run.ts'

/** `npm run test:all` takes every profile, events that last, and many more orders; `WINNODE_DAYS` one profile, or seeds such as 11-40. */
const only = process.env['WINNODE_DAYS']
const builtIn = readdirSync(path.join(root, 'profiles'))
  .map((name) => name.replace(/\.yaml$/, ''))
  .filter((name) => name !== 'base' && isInstalled(name))
const profiles = only === undefined ? builtIn : builtIn.filter((name) => name === only)
const seeds = /^(\d+)-(\d+)$/.exec(only ?? '1-200')

/** What `npm test` plays: one of each way in which HNS keeps pods apart. */
const usual = only === undefined ? ['ws2022-flannel-overlay', 'ws2022-flannel-l2bridge'] : [only]

for (const profile of profiles) {
  const plays = usual.includes(profile) ? scenario : scenarioOfAll
  plays(`three days of ${profile}`, async (t, { host, artifacts }) => {
    const drive = path.join(t.testdir({}), 'c')
    const days = await member({ host, artifacts }, profile, drive)
    await pods(days)
    const mine = events.filter(
      (event) => concerns(days, event) && (all || event.lasts === undefined),
    )
    const quiet = (3 * 86_400) / mine.length
    for (const event of mine) {
      await t.test(event.what, async (t) => {
        const began = await secondsOf(host)
        await happens(t, days, event)
        const idle = await tick(host)
        t.match(idle, { calls: [], writes: 0, result: { exitCode: 0 } }, trouble(idle.result))
        t.equal(await lacks(days), '')
        // Runs that find nothing to do change nothing, so the time between is not lived through.
        const rest = began + quiet - (await secondsOf(host))
        await host.ps('Skip-HostTime -Seconds $with.rest', { rest: Math.max(rest, 0) })
      })
    }
    await reset(host)
    const left = differences(days.bare, await host.describe(), ownFolders)
    t.strictSame(
      left.filter((line) => !stays.some((known) => known.test(line))),
      [],
      'a reset leads back to the first day',
    )
  })
}

if (seeds) {
  const plays = only === undefined ? scenarioOfAll : scenario
  plays('what happens in any order', async (t, stage) =>
    orders(t, stage, Number(seeds[1]), Number(seeds[2])),
  )
}

async function orders(
  t: Test,
  { host, artifacts }: Stage,
  from: number,
  to: number,
): Promise<void> {
  const folder = t.testdir({})
  const made = path.join(folder, 'made')
  const days = await member({ host, artifacts }, 'ws2022-flannel-overlay', path.join(made, 'c'))
  await pods(days)
  await host.ps('Start-Sleep -Seconds 60')
  t.equal(await lacks(days), '')
  await host.save(made)
  await host.ps('Restart-HostHns')
  t.match(await lacks(days), /web-1 has no network.*10\.96\.0\.80:80 TCP leads to ,/, 'it is seen')
  const short = events.filter(
    (event) => concerns(days, event) && (all || event.lasts === undefined),
  )
  for (let seed = from; seed <= to; seed++) {
    await t.test(`seed ${seed}`, async (t) => {
      const at = path.join(folder, String(seed))
      // Also access lists, which Node does not copy.
      await host.ps('& /bin/cp -a $with.made $with.at', { made, at })
      await host.restore(at)
      days.drive = path.join(at, 'c')
      const draw = numbers(seed)
      for (let lived = 0; lived < (all ? 2 : 1); lived++) {
        const { name, wrong } = await lives(days, short, draw, at)
        t.equal(wrong, '', name)
      }
      const idle = await tick(host)
      t.match(idle, { calls: [], writes: 0, result: { exitCode: 0 } }, trouble(idle.result))
      rmSync(at, { recursive: true })
    })
  }
}

async function happens(t: Test, days: Days, event: HostEvent, draw = 0.3): Promise<void> {
  const { host } = days
  const { told, proof, byHand, minutes, since = '' } = event
  let began = await secondsOf(host)
  await host.ps(event.does(draw))
  if (event.lasts === undefined) began = await secondsOf(host)
  if (told) t.match(trouble((await host.run('Test')).result), told, 'Test says it')
  if (proof) t.notOk(await host.ps(proof), 'it does not recover by itself')
  if (byHand) {
    await tick(host)
    await byHand(days)
    began = await secondsOf(host)
  }
  const { took, wrong } = await settles(days, event, began)
  t.equal(wrong, '')
  t.ok(took <= minutes * 60, `${(took / 60).toFixed(1)} of ${minutes} minutes ${since}`)
  t.comment(`${event.id}: ${(took / 60).toFixed(1)} of ${minutes} minutes ${since}`)
}
