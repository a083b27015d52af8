// Profile settings in Antrea's ConfigMap.
import type { LinuxSide } from '../plugin.ts'

/** The tunnel types of Antrea on Windows: https://github.com/antrea-io/antrea/blob/main/docs/windows.md */
export const backends = ['geneve', 'vxlan', 'stt'] as const

/** On Windows, Antrea supports one traffic mode: https://github.com/antrea-io/antrea/blob/main/docs/windows.md */
export const linux: LinuxSide = {
  agent: /^antrea-agent(?:-|$)/,
  configMaps: [{ namespace: 'kube-system', name: 'antrea-config' }],
  key: 'antrea-agent.conf',
  read: (conf, where) => {
    const mode = conf['trafficEncapMode']
    const tunnel = conf['tunnelType']
    const isOnWindows = backends.some((one) => one === tunnel)
    return {
      fields: [
        { path: ['network', 'mode'], value: 'transparent', where },
        { path: ['network', 'backend'], value: isOnWindows ? tunnel : undefined, where },
      ],
      notes: [
        ...(typeof mode === 'string' && mode !== '' && mode !== 'encap'
          ? [`trafficEncapMode is ${mode}; Windows nodes need encap`]
          : []),
        ...(typeof tunnel === 'string' && tunnel !== '' && !isOnWindows
          ? [
              `tunnelType is ${tunnel}; Windows nodes need ${backends.slice(0, -1).join(', ')} or ${backends.at(-1)}`,
            ]
          : []),
      ],
    }
  },
}
