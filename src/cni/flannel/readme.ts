// The part of cluster/README.md about flannel on Linux: what it says today, what it must say, and the way there.
import { part } from '../../model/page.ts'
import type { Part } from '../../model/plan.ts'
import type { NodeSpec } from '../../model/spec.ts'

/** `unsaid` is what flanneld takes where its file says nothing. */
interface Field {
  readonly name: string
  readonly wanted: string | number
  readonly unsaid: string | number
}

/**
 * What the Linux side may say of vxlan, and flanneld on Windows refuses.
 * https://github.com/flannel-io/flannel/blob/master/pkg/backend/vxlan/vxlan_windows.go (RegisterNetwork)
 * https://github.com/flannel-io/flannel/blob/master/pkg/backend/vxlan/vxlan_network.go (handleSubnetEvents)
 */
const linuxOnly = [
  {
    field: 'DirectRouting',
    because:
      'on Linux it sends to nodes on the same subnet outside the tunnel, to Windows nodes too, which take nothing there',
  },
  { field: 'GBP', because: 'it changes what is in the tunnel, and Windows does not know it' },
] as const

/**
 * What flanneld takes where nothing is said: no Backend is udp, a VNI is 1, a port is the kernel's.
 * https://github.com/flannel-io/flannel/blob/master/pkg/subnet/config.go (parseBackendType)
 * https://github.com/flannel-io/flannel/blob/master/Documentation/backends.md
 */
export function readme({ network }: NodeSpec): readonly Part[] {
  const { podCIDRs, flannel, mode } = network
  const { vni, port } = flannel
  const overlay = mode === 'overlay'
  const backend: readonly Field[] = overlay
    ? [
        { name: 'Type', wanted: 'vxlan', unsaid: 'udp' },
        { name: 'VNI', wanted: vni, unsaid: 1 },
        { name: 'Port', wanted: port, unsaid: 8472 },
        ...linuxOnly.map(({ field: name }) => ({ name, wanted: 'false', unsaid: 'false' })),
      ]
    : [{ name: 'Type', wanted: 'host-gw', unsaid: 'udp' }]
  const fields = [{ name: 'Network', wanted: podCIDRs[0] ?? '', unsaid: '' }, ...backend]
  const said = backend
    .filter(({ wanted }) => wanted !== 'false')
    .map(({ name, wanted }) => ({ text: `"${name}": ${JSON.stringify(wanted)}` }))
  const never = overlay ? linuxOnly.map((row) => ({ ...row })) : []
  return [
    part('flannel-compare', { fields: fields.map((field) => ({ ...field })) }),
    overlay ? part('flannel-vxlan', { udp: `UDP ${port}` }) : part('flannel-host-gw'),
    part('flannel-change', { said, never, ...(overlay ? vxlan(vni, port) : hostGw) }),
  ]
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
