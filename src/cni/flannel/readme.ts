// The section of cluster/README.md about flannel on Linux: its current settings, the required ones, and how to change them.
import type { Json } from '../../model/json.ts'
import { pluginPart } from '../readme-part.ts'
import type { Part, PlannedFile } from '../../model/plan.ts'
import type { NodeSpec } from '../../model/spec.ts'
import { linuxOnly, linuxSide } from './linux-side.ts'

export function readme(spec: NodeSpec, files: readonly PlannedFile[]): readonly Part[] {
  const { podCIDRs, flannel, mode } = spec.network
  const { vni, port } = flannel
  const overlay = mode === 'overlay'
  const backend = linuxSide(spec).flatMap(({ key, expected, byDefault }) =>
    byDefault === undefined
      ? []
      : [{ name: String(key.at(-1)), wanted: text(expected), unsaid: text(byDefault) }],
  )
  const fields = [{ name: 'Network', wanted: podCIDRs[0] ?? '', unsaid: '' }, ...backend]
  const said = backend
    .filter(({ wanted }) => wanted !== 'false')
    .map(({ name, wanted }) => ({ text: `"${name}": ${JSON.stringify(wanted)}` }))
  const never = overlay ? linuxOnly.map((row) => ({ ...row })) : []
  return [
    pluginPart('flannel', 'compare', { fields }),
    overlay
      ? pluginPart('flannel', 'vxlan', { udp: `UDP ${port}` })
      : pluginPart('flannel', 'host-gw'),
    pluginPart('flannel', 'change', { said, never, ...(overlay ? vxlan(vni, port) : hostGw) }),
    pluginPart('flannel', 'token', {
      policy: files.find(({ id }) => id === 'cluster-flannel-policy')?.path ?? '',
    }),
  ]
}

/** As text, because a shell compares text. */
const text = (value: Json) =>
  typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value)

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
