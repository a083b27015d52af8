// How the bundle gets onto a machine: in its image, or downloaded by a script of the bootstrap data.
import type { JsonObject } from '../../model/json.ts'
import { bundleFolder } from '../../model/layout.ts'
import type { RenderedFile } from '../../model/plan.ts'
import { bundleArchive, base64 } from '../bundle-archive.ts'
import { installScript, serveStep } from '../install-script.ts'
import { gzipOf } from '../archive.ts'
import { refused, type Input, type Refused } from '../target.ts'
import { archiveFile } from '../zip.ts'
import { installCommands, restartCode, forwardSlashes } from './commands.ts'

export interface Delivery {
  readonly kind: 'delivery'
  /** The bundle's folder on the machine. */
  readonly folder: string
  readonly files: readonly JsonObject[]
  /** Run before all other commands. */
  readonly commands: readonly string[]
  /** The archive to serve at the bundle's URL. */
  readonly archive: RenderedFile | undefined
  readonly next: readonly string[]
}

/** Of the content of one file in a KubeadmConfig, in characters. */
const contentLimit = {
  max: 10_240,
  see: 'https://github.com/kubernetes-sigs/cluster-api/blob/main/api/bootstrap/kubeadm/v1beta2/kubeadmconfig_types.go',
}

/** Only Administrators can write to C:\Windows, on any image. */
const scriptPath = 'C:\\Windows\\Receive-WinNode.ps1'

export async function bundleDelivery(input: Input): Promise<Delivery | Refused> {
  const { bundleURL } = input.facts.spec.targets.capi
  if (bundleURL === undefined)
    return {
      kind: 'delivery',
      folder: bundleFolder,
      files: [],
      commands: [],
      archive: undefined,
      next: [],
    }
  const bundle = bundleArchive(input.bundle)
  const restart = { by: 'channel', exitCode: restartCode } as const
  const script = await installScript(input, bundle, { bundleURL, runs: ['Install'], restart })
  // As base64 it holds nothing that Jinja, envsubst or YAML would interpret.
  const content = base64(gzipOf(script.content))
  if (content.length > contentLimit.max)
    return refused({
      path: ['targets', 'capi', 'bundleURL'],
      message: `the script that downloads the bundle has ${content.length} characters compressed, and Cluster API accepts ${contentLimit.max}`,
      remedy: 'Shorten the URL.',
      see: contentLimit.see,
    })
  const archive = archiveFile(input.plan, bundle.archive)
  return {
    kind: 'delivery',
    folder: bundle.view.folder,
    files: [
      { path: forwardSlashes(scriptPath), permissions: '0644', encoding: 'gzip+base64', content },
    ],
    commands: installCommands(scriptPath),
    archive,
    next: [serveStep(archive.path, bundleURL, bundle)],
  }
}
