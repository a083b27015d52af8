// Programs of flannel on a node: CNI plugins, and flanneld where it is a service.
import { toolRelease } from '../../matrix/tools.ts'
import type { Facts } from '../../model/facts.ts'
import { layout } from '../../model/layout.ts'
import type { Program } from '../../model/program.ts'
import { referencePlugins } from '../reference-plugins.ts'
import { runsAsPods } from './runs-as.ts'

const nssm = toolRelease('nssm')

export function programs({ spec }: Pick<Facts, 'spec'>): readonly Program[] {
  const { flannel, mode } = spec.network
  const pods = runsAsPods(spec.network)
  const plugins = referencePlugins(spec, [
    mode === 'overlay' ? 'win-overlay' : 'win-bridge',
    'host-local',
  ])
  // Pods write the conf after the join.
  const neededBy = pods ? 'join-cluster' : plugins.neededBy
  const flanneld: Program = {
    kind: 'file',
    source: 'flanneld',
    version: flannel.version,
    neededBy: 'service-flanneld',
    path: `${layout.programs}\\flanneld.exe`,
  }
  const wrapper: Program = {
    kind: 'archive',
    source: 'nssm',
    version: nssm.version,
    neededBy: 'service-flanneld',
    format: 'zip',
    members: [
      { member: `nssm-${nssm.version}/win64/nssm.exe`, path: `${layout.programs}\\nssm.exe` },
    ],
  }
  return [
    ...(pods ? [] : [flanneld]),
    {
      kind: 'archive',
      source: 'flannel-cni',
      version: flannel.cniPlugin,
      neededBy,
      format: 'tar.gz',
      // The runtime finds a plugin program by the type in the conf: flannel.
      members: [{ member: 'flannel-amd64.exe', path: `${layout.cniBin}\\flannel.exe` }],
    },
    { ...plugins, neededBy },
    ...(pods ? [] : [wrapper]),
  ]
}
