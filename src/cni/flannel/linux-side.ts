// What net-conf.json of the Linux side must say: cluster/README.md compares it in a shell, drift in a cluster.
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
      'on Linux it sends to nodes on the same subnet outside the tunnel, to Windows nodes too, which take nothing there',
  },
  { field: 'GBP', because: 'it changes what is in the tunnel, and Windows does not know it' },
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
    // Linux has no use for it: it counts only where Windows nodes read the same document.
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
