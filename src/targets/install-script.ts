// Arrival-script: what runs on a machine that has no bundle yet: brings it there, checks it, and runs scripts of it.
import type { Part, RenderedFile } from '../model/plan.ts'
import { type Arrival, linesOf } from './arrival.ts'
import type { Input } from './target.ts'
import type { Restart } from './userdata/channels.ts'

interface Wanted {
  /** Where the archive is fetched from; the script holds it where there is none. */
  readonly bundleURL: string | undefined
  /** Scripts of the bundle, such as `Install`, in their order. */
  readonly runs: readonly string[]
  readonly restart: Restart
}

export function arrivalScript(
  { plan, facts: { spec }, render }: Input,
  { archive, view }: Arrival,
  { bundleURL, runs, restart }: Wanted,
): Promise<RenderedFile> {
  const scripts = runs.map((name) => ({ file: `${name}-WinNode.ps1` }))
  const proxy = spec.host.proxy?.url ?? false
  const source: Part =
    bundleURL === undefined
      ? { template: 'targets/carried.ps1.hbs', view: { lines: linesOf(archive) } }
      : { template: 'targets/fetched.ps1.hbs', view: { url: bundleURL, proxy } }
  const parts = [
    { template: 'targets/userdata-head.ps1.hbs', view: {} },
    { template: 'targets/arrive.ps1.hbs', view: {} },
    source,
    { template: 'targets/userdata.ps1.hbs', view: { ...view, scripts, ...contract(restart) } },
  ]
  return render({ path: `${plan.name}.ps1`, body: { kind: 'page', parts } })
}

function contract(restart: Restart) {
  return {
    restartExitCode: restart.by === 'channel' ? restart.exitCode : 0,
    restarts: restart.by === 'script',
    tasks: restart.by === 'task',
  }
}

/** What a person does with the archive. */
export function serveStep(path: string, bundleURL: string, { view }: Arrival): string {
  return `${path} has to be what ${bundleURL} serves; its sha256 is ${view.sha256}`
}
