// A script for a machine without the bundle: gets the archive, verifies its checksum, and runs scripts of the bundle.
import type { Part, RenderedFile } from '../model/plan.ts'
import { zipOf } from './archive.ts'
import { type BundleArchive, base64Lines } from './bundle-archive.ts'
import type { Input } from './target.ts'
import type { Restart } from './userdata/channels.ts'

interface ScriptOptions {
  /** The URL of the archive, or its path on the machine; `undefined`: the script contains the archive. */
  readonly bundleURL: string | undefined
  /** Scripts of the bundle to run, such as `Install`, in order. */
  readonly runs: readonly string[]
  readonly restart: Restart
  /** Scripts of the user to run before all others. */
  readonly before?: readonly RenderedFile[]
  /** Scripts of the user to run when an attempt has ended, with its exit code. */
  readonly after?: readonly RenderedFile[]
}

export function installScript(
  { plan, facts: { spec }, render }: Input,
  { archive, view }: BundleArchive,
  { bundleURL, runs, restart, before = [], after = [] }: ScriptOptions,
): Promise<RenderedFile> {
  const scripts = runs.map((name) => ({ file: `${name}-WinNode.ps1` }))
  const proxy = spec.host.proxy?.url ?? false
  const packed = [...before, ...after]
  const own: readonly Part[] =
    packed.length > 0
      ? [{ template: 'targets/own-scripts.ps1.hbs', view: { lines: base64Lines(zipOf(packed)) } }]
      : []
  const ownView = {
    hasOwn: packed.length > 0,
    before: before.map(onMachine),
    after: after.map(onMachine),
  }
  const parts = [
    { template: 'targets/userdata-head.ps1.hbs', view: {} },
    { template: 'targets/arrive.ps1.hbs', view: {} },
    archivePart(bundleURL, { archive, proxy }),
    ...own,
    {
      template: 'targets/userdata.ps1.hbs',
      view: { ...view, scripts, ...ownView, ...restartView(restart) },
    },
  ]
  return render({ path: `${plan.name}.ps1`, body: { kind: 'page', parts } })
}

const onMachine = ({ path }: RenderedFile) => ({ file: path.replaceAll('/', '\\') })

function archivePart(
  bundleURL: string | undefined,
  { archive, proxy }: { readonly archive: Uint8Array; readonly proxy: string | false },
): Part {
  if (bundleURL === undefined)
    return { template: 'targets/carried.ps1.hbs', view: { lines: base64Lines(archive) } }
  return isURL(bundleURL)
    ? { template: 'targets/fetched.ps1.hbs', view: { url: bundleURL, proxy } }
    : { template: 'targets/stored.ps1.hbs', view: { file: bundleURL } }
}

const isURL = (bundleURL: string) => !/^[A-Z]:\\/.test(bundleURL)

function restartView(restart: Restart) {
  return {
    restartExitCode: restart.by === 'channel' ? restart.exitCode : 0,
    restarts: restart.by === 'script',
    tasks: restart.by === 'task',
  }
}

/** The step in which the user publishes the archive. */
export function serveStep(path: string, bundleURL: string, { view }: BundleArchive): string {
  const verb = isURL(bundleURL) ? `upload ${path} to` : `let machines get ${path} as`
  return `${verb} ${bundleURL} (sha256 ${view.sha256})`
}
