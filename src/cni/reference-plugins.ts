// The reference plugins of the CNI project: their archive and version.
import { toolRelease } from '../matrix/tools.ts'
import { layout } from '../model/layout.ts'
import type { Program } from '../model/program.ts'
import type { ProgramReleases } from '../model/program-releases.ts'
import type { NodeSpec } from '../model/spec.ts'

/** `names` are program names without `.exe`; the runtime finds them by the types in the CNI conf. */
export function referencePlugins({ network }: NodeSpec, names: readonly string[]): Program {
  return {
    kind: 'archive',
    source: 'cni-plugins',
    version: network.cniPlugins,
    neededBy: 'file-cni-conf',
    format: 'tar.gz',
    members: names.map((name) => ({
      member: `./${name}.exe`,
      path: `${layout.cniBin}\\${name}.exe`,
    })),
  }
}

export const referencePluginsVersion: ProgramReleases = {
  id: 'cni',
  title: 'cni-plugins',
  path: ['network', 'cniPlugins'],
  version: ({ network }) => network.cniPlugins,
  newest: [toolRelease('cni-plugins').version],
  see: 'https://github.com/containernetworking/plugins/releases',
}
