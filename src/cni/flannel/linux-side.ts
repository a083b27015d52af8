// Required settings of net-conf.json on Linux nodes; compared by the commands in cluster/README.md and by drift.
import type { LinuxSetting } from '../plugin.ts'
import type { NodeSpec } from '../../model/spec.ts'

/**
 * Settings of vxlan that flanneld on Windows refuses.
 * https://github.com/flannel-io/flannel/blob/master/pkg/backend/vxlan/vxlan_windows.go (RegisterNetwork)
 * https://github.com/flannel-io/flannel/blob/master/pkg/backend/vxlan/vxlan_network.go (handleSubnetEvents)
 */
export const linuxOnly = [
  {
    field: 'DirectRouting',
    because:
      'Linux nodes then send to nodes on the same subnet without encapsulation, which Windows nodes drop',
  },
  {
    field: 'GBP',
    because: 'it changes the packet format of the tunnel, which Windows does not support',
  },
] as const

/**
 * Without Backend the type is udp; a VNI is 1, and a port is the kernel's.
 * https://github.com/flannel-io/flannel/blob/master/pkg/subnet/config.go (parseBackendType)
 * https://github.com/flannel-io/flannel/blob/master/Documentation/backends.md
 */
export function linuxSide({ network }: NodeSpec): readonly LinuxSetting[] {
  const { backend, mode, flannel } = network
  const type: LinuxSetting = {
    key: ['Backend', 'Type'],
    expected: backend,
    byDefault: 'udp',
    onWindows: ['vxlan', 'host-gw'],
    field: ['network', 'mode'],
  }
  if (mode !== 'overlay') return [type]
  return [
    type,
    {
      key: ['Backend', 'VNI'],
      expected: flannel.vni,
      byDefault: 1,
      field: ['network', 'flannel', 'vni'],
    },
    {
      key: ['Backend', 'Port'],
      expected: flannel.port,
      byDefault: 8472,
      field: ['network', 'flannel', 'port'],
    },
    // Linux ignores it; it only matters if Windows nodes read the same document.
    {
      key: ['Backend', 'MacPrefix'],
      expected: flannel.macPrefix,
      field: ['network', 'flannel', 'macPrefix'],
    },
    ...linuxOnly.map(({ field }) => ({
      key: ['Backend', field],
      expected: false,
      byDefault: false,
    })),
  ]
}
