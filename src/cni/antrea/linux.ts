// Profile settings in Antrea's ConfigMap.
import type { LinuxSide } from '../plugin.ts'

/** On Windows, Antrea supports one traffic mode: https://github.com/antrea-io/antrea/blob/main/docs/windows.md */
export const linux: LinuxSide = {
  agent: /^antrea-agent(?:-|$)/,
  configMaps: [{ namespace: 'kube-system', name: 'antrea-config' }],
  key: 'antrea-agent.conf',
  read: (conf, where) => {
    const mode = conf['trafficEncapMode']
    return {
      fields: [{ path: ['network', 'mode'], value: 'transparent', where }],
      notes:
        typeof mode === 'string' && mode !== '' && mode !== 'encap'
          ? [`trafficEncapMode is ${mode}; Windows nodes need encap`]
          : [],
    }
  },
}
