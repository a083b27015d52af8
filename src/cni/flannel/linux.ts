// Profile settings in flannel's ConfigMap.
import type { LinuxSide } from '../plugin.ts'
import { type Json, valueAtGoKey } from '../../model/json.ts'
import type { NetworkMode } from '../../model/spec.ts'

/** The backends that flanneld supports on Windows, in any case: pkg/backend, hostgw_windows.go, vxlan_windows.go and manager.go (GetBackend). */
const modes: Readonly<Record<string, NetworkMode>> = { vxlan: 'overlay', 'host-gw': 'l2bridge' }

/** vxlan.go defaults to VNI 1 and the kernel's port; vxlan_windows.go requires a VNI of at least 4096 and port 4789. */
const windowsLimits = [
  { key: 'VNI', byDefault: 1, takes: '4096 or more', fits: (vni: Json) => Number(vni) >= 4096 },
  { key: 'Port', byDefault: 8472, takes: '4789', fits: (port: Json) => port === 4789 },
]

/** https://github.com/flannel-io/flannel/blob/master/Documentation/configuration.md */
export const linux: LinuxSide = {
  agent: /^flannel$/,
  configMaps: [
    { namespace: 'kube-flannel', name: 'kube-flannel-cfg' },
    { namespace: 'kube-system', name: 'kube-flannel-cfg' },
  ],
  key: 'net-conf.json',
  read: (conf, where) => {
    const type = text(valueAtGoKey(conf, ['Backend', 'Type'])) ?? 'udp'
    const mode = modes[type.toLowerCase()]
    const overlay = mode === 'overlay'
    const set = (key: string) => (overlay ? valueAtGoKey(conf, ['Backend', key]) : undefined)
    const setting = (field: string, key: string) => ({
      path: ['network', 'flannel', field],
      value: set(key),
      where: `${where}, Backend.${key}`,
    })
    return {
      fields: [
        { path: ['network', 'mode'], value: mode, where: `${where}, Backend.Type ${type}` },
        setting('vni', 'VNI'),
        setting('port', 'Port'),
        setting('macPrefix', 'MacPrefix'),
        {
          path: ['network', 'podCIDRs'],
          value: ['Network', 'IPv6Network'].flatMap((key) => text(valueAtGoKey(conf, [key])) ?? []),
          where,
        },
      ],
      notes: [
        ...(mode === undefined
          ? [`flanneld on Windows does not support the backend ${type}, only vxlan and host-gw`]
          : []),
        ...windowsLimits.flatMap(({ key, byDefault, takes, fits }) => {
          const value = set(key) ?? ''
          if (!overlay || fits(value)) return []
          return value === ''
            ? `Backend.${key} is not set: Linux nodes use ${byDefault}, but Windows nodes need ${takes}`
            : `Backend.${key} is ${JSON.stringify(value)}, but Windows nodes need ${takes}; change it in flannel’s ConfigMap`
        }),
      ],
    }
  },
}

const text = (value: Json | undefined) =>
  typeof value === 'string' && value !== '' ? value : undefined
