// What a file of scenarios shares: one PowerShell process, one server, and a fresh machine for each scenario.
import path from 'node:path'
import { t, type Test } from 'tap'
import { Artifacts } from './artifacts.ts'
import { writeBundle, type NodeDocument } from './bundle.ts'
import { bundleFiles } from './every-kind.ts'
import { Host, untested } from './host.ts'

export interface Stage {
  readonly host: Host
  readonly artifacts: Artifacts
  /** A fresh Windows Server with this bundle in C:\win-node; gives the folder that is its drive C:. */
  readonly machine: (
    document: NodeDocument,
    files?: Readonly<Record<string, string>>,
  ) => Promise<string>
}

let shared: { readonly host: Host; readonly artifacts: Artifacts } | undefined

async function start() {
  const host = new Host()
  const artifacts = await new Artifacts().start()
  t.teardown(() => {
    host.stop()
    artifacts.stop()
  })
  return { host, artifacts }
}

/** A test on a simulated Windows Server; skipped, and counted, where none can be simulated. */
export function scenario(name: string, body: (t: Test, stage: Stage) => Promise<void>): void {
  t.test(name, { skip: untested }, async (t) => {
    shared ??= await start()
    const { host, artifacts } = shared
    artifacts.heal()
    const drive = path.join(t.testdir({}), 'c')
    await body(t, {
      host,
      artifacts,
      machine: async (document, files = bundleFiles) => {
        await host.fresh(drive)
        writeBundle(path.join(drive, 'win-node'), document, artifacts, files)
        return drive
      },
    })
  })
}
