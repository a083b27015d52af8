// Cut off at any moment, the node side goes on: what the next run leaves is what an undisturbed one leaves.
import { rmSync } from 'node:fs'
import path from 'node:path'
import type { Test } from 'tap'
import { bring, install, joined, succeeded, token } from './host/course.ts'
import { everyKind } from './host/every-kind.ts'
import { differences, Host } from './host/host.ts'
import { scenario, type Stage } from './host/stage.ts'

/** A course of runs, watched; `again` is what somebody does who finds it cut off. */
interface Course {
  /** Functions of the module: the moments are before and after their calls. */
  readonly at: readonly string[]
  readonly prepare: (host: Host, drive: string) => Promise<unknown>
  readonly watched: (host: Host) => Promise<unknown>
  readonly again: (host: Host) => Promise<unknown>
}

const reset = async (host: Host): Promise<unknown> => {
  const { result } = await host.run('Reset', { RemoveData: true })
  if (result.restart) await host.restart()
  return succeeded(await host.run('Reset', { RemoveData: true }))
}

const courses: Readonly<Record<string, Course>> = {
  Install: {
    at: ['Edit-NodeStep'],
    prepare: () => Promise.resolve(),
    watched: install,
    again: install,
  },
  Join: {
    at: ['Edit-NodeStep', 'Save-NodeState', 'Move-NodeFile', 'Invoke-Native', 'Write-NodeRecovery'],
    prepare: async (host, drive) => {
      await install(host)
      bring(drive)
    },
    watched: async (host) => succeeded(await host.run('Join', { Token: token })),
    again: async (host) => succeeded(await host.run('Join', { Token: token })),
  },
  Reset: {
    at: ['Reset-NodeStep'],
    prepare: joined,
    watched: reset,
    again: reset,
  },
}

for (const [name, course] of Object.entries(courses)) {
  scenario(`${name} is cut off before and after every change`, (t, stage) =>
    cutEverywhere(t, stage, course),
  )
}

/** Keeps the machine as it is at each moment of a course, and goes on from each of them. */
async function cutEverywhere(t: Test, { host, machine }: Stage, course: Course): Promise<void> {
  const drive = await machine(everyKind())
  const folder = path.join(path.dirname(drive), 'kept')
  await course.prepare(host, drive)
  await host.ps('Watch-HostBoundary -Folder $with.folder -Function $with.at', {
    folder,
    at: course.at,
  })
  await course.watched(host)
  const count = await host.ps<number>('Complete-HostBoundary')
  const undisturbed = await host.describe()
  t.ok(count > 20, `${count} moments`)

  // A process uses one processor, and tests may use two.
  const other = new Host()
  t.teardown(() => other.stop())
  const moments = Array.from({ length: count }, (_, index) => index + 1)
  const goOn = async (worker: Host): Promise<void> => {
    for (let moment = moments.shift(); moment !== undefined; moment = moments.shift()) {
      const kept = path.join(folder, String(moment))
      await worker.restore(kept)
      try {
        await course.again(worker)
        t.strictSame(differences(undisturbed, await worker.describe()), [], `moment ${moment}`)
      } catch (error) {
        t.fail(`moment ${moment}: ${String(error)}`)
      }
      rmSync(kept, { recursive: true })
    }
  }
  await Promise.all([goOn(host), goOn(other)])
}
