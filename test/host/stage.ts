// What scenarios of a test file share: a PowerShell process, a server, and a fresh machine for each scenario.
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { t, type Test } from 'tap'
import { Artifacts } from './artifacts.ts'
import { sha256, writeBundle, type NodeDocument } from './bundle.ts'
import { everything, leftOut } from '../tools/everything.ts'
import { bundleFiles } from './every-kind.ts'
import { Host, untested } from './host.ts'

export interface Stage {
  readonly host: Host
  readonly artifacts: Artifacts
  /** A fresh Windows Server with this bundle in C:\win-node; gives the folder that is its drive C:. */
  readonly machine: (document: NodeDocument, files?: Files) => Promise<string>
  /** What this made on the drive and in the machine, which happens once for a name; later calls get a copy. */
  readonly once: (name: string, make: (drive: string) => Promise<unknown>) => Promise<string>
  /** A machine with this bundle after this preparation, which runs once for a bundle. */
  readonly machineAfter: (done: Deed, document: NodeDocument, files?: Files) => Promise<string>
}

type Files = Readonly<Record<string, string>>
type Deed = (host: Host, drive: string) => Promise<unknown>

interface Shared {
  readonly host: Host
  readonly artifacts: Artifacts
  /** Holds machines that were kept, each in a folder named for what was done to which bundle. */
  readonly kept: string
}
let shared: Shared | undefined

async function start() {
  const host = Host.lent()
  const artifacts = await new Artifacts().start()
  t.teardown(() => {
    if (t.passing()) host.stop()
    else host.discard()
    artifacts.stop()
  })
  return { host, artifacts, kept: t.testdir({}) }
}

/** As machines are kept: also access lists, which are extended attributes that Node does not copy. */
function copy(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

/** Only `npm run test:all` plays it: a scenario of `npm test` shows most of it. */
export function scenarioOfAll(name: string, body: Body): void {
  scenario(name, body, everything ? untested : leftOut)
}

type Body = (t: Test, stage: Stage) => Promise<void>

/** A test on a simulated Windows Server; skipped, and counted, where none can be simulated. */
export function scenario(name: string, body: Body, skip: string | false = untested): void {
  t.test(name, { skip }, async (t) => {
    shared ??= await start()
    const { host, artifacts, kept } = shared
    artifacts.heal()
    const folder = t.testdir({})
    const drive = path.join(folder, 'c')
    const machine: Stage['machine'] = async (document, files = bundleFiles) => {
      await host.fresh(drive)
      writeBundle(path.join(drive, 'win-node'), document, artifacts, files)
      return drive
    }
    const once: Stage['once'] = async (kind, make) => {
      const copied = path.join(kept, kind.replaceAll('/', '-'))
      rmSync(drive, { recursive: true, force: true })
      if (existsSync(copied)) {
        copy(`${copied}/.`, folder)
        await host.restore(folder)
      } else {
        await make(drive)
        await host.save(folder)
        copy(folder, copied)
      }
      return drive
    }
    const machineAfter: Stage['machineAfter'] = (done, document, files = bundleFiles) => {
      const digest = sha256(JSON.stringify([document, files])).slice(0, 8)
      return once(`${done.name}-${digest}`, async () => done(host, await machine(document, files)))
    }
    await body(t, { host, artifacts, machine, once, machineAfter })
  })
}
