// The section of cluster/README.md about flannel on Linux: its required settings, and what a change interrupts.
import { pluginPart } from '../readme-part.ts'
import type { Part, PlannedFile, View } from '../../model/plan.ts'
import { hostProcessImage } from '../../matrix/host-process-image.ts'
import { knownDigest, publisherURL } from '../../matrix/artifact-sources.ts'
import { runsAsPods } from './runs-as.ts'
import type { NodeSpec } from '../../model/spec.ts'
import { linuxOnly, linuxSide } from './linux-side.ts'

export function readme(spec: NodeSpec, files: readonly PlannedFile[]): readonly Part[] {
  const { flannel, mode } = spec.network
  const { vni, port } = flannel
  const overlay = mode === 'overlay'
  const settings = linuxSide(spec)
    .filter(({ byDefault, expected }) => byDefault !== undefined && expected !== false)
    .map(({ key, expected }) => ({ text: `"${String(key.at(-1))}": ${JSON.stringify(expected)}` }))
  const never = overlay ? linuxOnly.map((row) => ({ ...row })) : []
  return [
    pluginPart('flannel', 'compare'),
    overlay
      ? pluginPart('flannel', 'vxlan', { udp: `UDP ${port}` })
      : pluginPart('flannel', 'host-gw'),
    pluginPart('flannel', 'change', { settings, never, ...(overlay ? vxlan(vni, port) : hostGw) }),
    ...(runsAsPods(spec.network) ? [pluginPart('flannel', 'pods', pods(spec))] : []),
    pluginPart('flannel', 'token', {
      service: !runsAsPods(spec.network),
      policy: files.find(({ id }) => id === 'cluster-flannel-policy')?.path ?? '',
    }),
  ]
}

function pods({ network: { flannel } }: NodeSpec): View {
  return {
    base: hostProcessImage,
    url: publisherURL('flanneld', flannel.version),
    sha256: knownDigest('flanneld', flannel.version) ?? '',
    image: flannel.image ?? '',
  }
}

const hostGw = {
  values: 'flannel.backend=host-gw',
  announced: 'host-gw',
  look: 'ip route',
  shows: 'the pod network of each other node “via” that node’s own address',
}

function vxlan(vni: number, port: number) {
  return {
    values: `flannel.backend=vxlan, flannel.vni=${vni}, flannel.backendPort=${port}`,
    announced: `vxlan {"VNI":${vni}, …}`,
    look: `ip -d link show flannel.${vni}`,
    shows: `vxlan id ${vni} and dstport ${port}`,
  }
}
