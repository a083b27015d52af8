// Brought: how the bundle comes to a machine: its image has it, or a script of the document fetches it first.
import type { JsonObject } from '../../model/json.ts'
import { bundleFolder } from '../../model/layout.ts'
import type { RenderedFile } from '../../model/plan.ts'
import { arrivalOf, base64Of } from '../arrival.ts'
import { arrivalScript, serveStep } from '../arrival-script.ts'
import { gzipOf } from '../archive.ts'
import type { Input, Limit, Made } from '../target.ts'
import { archiveFile } from '../zip.ts'
import { bringCommands, restartCode, slashed } from './commands.ts'

export interface Brought {
  readonly kind: 'brought'
  /** On the machine. */
  readonly folder: string
  readonly files: readonly JsonObject[]
  /** Before everything else. */
  readonly commands: readonly string[]
  /** What somebody has to serve. */
  readonly archive: RenderedFile | undefined
  readonly next: readonly string[]
}

export const contentLimit: Limit = {
  of: 'content of one file in a KubeadmConfig',
  most: 10_240,
  unit: 'characters',
  see: 'https://github.com/kubernetes-sigs/cluster-api/blob/main/api/bootstrap/kubeadm/v1beta2/kubeadmconfig_types.go',
}

/** In C:\\Windows, where Administrators alone can write, whatever the image is. */
const scriptPath = 'C:\\Windows\\Receive-WinNode.ps1'

export async function broughtBy(input: Input): Promise<Brought | Exclude<Made, { kind: 'made' }>> {
  const { bundleURL } = input.facts.spec.targets.capi
  if (bundleURL === undefined)
    return {
      ...{ kind: 'brought', folder: bundleFolder, files: [], commands: [] },
      ...{ archive: undefined, next: [] },
    }
  const arrival = arrivalOf(input.bundle)
  const restart = { by: 'channel', exitCode: restartCode } as const
  const script = await arrivalScript(input, arrival, { bundleURL, runs: ['Install'], restart })
  // Packed it has nothing that Jinja, envsubst or YAML would read.
  const content = base64Of(gzipOf(script.content))
  if (content.length > contentLimit.most)
    return {
      kind: 'refused',
      message: `the script that fetches the bundle has ${content.length} characters packed, and Cluster API takes ${contentLimit.most}`,
      hints: ['give targets.capi.bundleURL a shorter address', `see ${contentLimit.see}`],
    }
  const archive = archiveFile(input.plan, arrival.archive)
  return {
    kind: 'brought',
    folder: arrival.view.folder,
    files: [{ path: slashed(scriptPath), permissions: '0644', encoding: 'gzip+base64', content }],
    commands: bringCommands(scriptPath),
    archive,
    next: [serveStep(archive.path, bundleURL, arrival)],
  }
}
