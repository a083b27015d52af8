// A script for a machine without the bundle: gets the archive, verifies its checksum, and runs scripts of the bundle.
import type { Part, RenderedFile } from '../model/plan.ts'
import { type BundleArchive, base64Lines } from './bundle-archive.ts'
import type { Input } from './target.ts'
import type { Restart } from './userdata/channels.ts'

interface ScriptOptions {
  /** The URL of the archive; `undefined`: the script contains the archive. */
  readonly bundleURL: string | undefined
  /** Scripts of the bundle to run, such as `Install`, in order. */
  readonly runs: readonly string[]
  readonly restart: Restart
}

export function installScript(
  { plan, facts: { spec }, render }: Input,
  { archive, view }: BundleArchive,
  { bundleURL, runs, restart }: ScriptOptions,
): Promise<RenderedFile> {
  const scripts = runs.map((name) => ({ file: `${name}-WinNode.ps1` }))
  const proxy = spec.host.proxy?.url ?? false
  const source: Part =
    bundleURL === undefined
      ? { template: 'targets/carried.ps1.hbs', view: { lines: base64Lines(archive) } }
      : { template: 'targets/fetched.ps1.hbs', view: { url: bundleURL, proxy } }
  const parts = [
    { template: 'targets/userdata-head.ps1.hbs', view: {} },
    { template: 'targets/arrive.ps1.hbs', view: {} },
    source,
    { template: 'targets/userdata.ps1.hbs', view: { ...view, scripts, ...restartView(restart) } },
  ]
  return render({ path: `${plan.name}.ps1`, body: { kind: 'page', parts } })
}

function restartView(restart: Restart) {
  return {
    restartExitCode: restart.by === 'channel' ? restart.exitCode : 0,
    restarts: restart.by === 'script',
    tasks: restart.by === 'task',
  }
}

/** The step in which the user publishes the archive. */
export function serveStep(path: string, bundleURL: string, { view }: BundleArchive): string {
  return `upload ${path} to ${bundleURL} (sha256 ${view.sha256})`
}
