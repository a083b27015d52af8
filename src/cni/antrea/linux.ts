// Profile settings in Antrea's ConfigMap.
import { type Json, ownOf, toText } from '../../model/json.ts'
import type { LinuxSide } from '../plugin.ts'

/** The tunnel types of Antrea on Windows: https://github.com/antrea-io/antrea/blob/main/docs/windows.md */
export const backends = ['geneve', 'vxlan', 'stt'] as const

/** In any case of letters, as its agent reads it. Windows nodes of a bundle encapsulate. */
const encapModes: Readonly<Record<string, string>> = {
  encap: '',
  noencap: 'the bundle is for encap: routes between nodes are yours',
  hybrid: 'the bundle is for encap: routes between nodes are yours',
  networkpolicyonly: 'Antrea’s agent does not start with it on Windows',
}

/** Whether the agent starts with a value on Windows, by setting. */
const fits: Readonly<Record<string, (value: Json | undefined, mode: string) => boolean>> = {
  tunnelPort: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
  trafficEncryptionMode: (value) => toText(value).toLowerCase() === 'none',
  enableBridgingMode: (value) => value === false,
  snatFullyRandomPorts: (value) => value === false,
  noSNAT: (value, mode) => value === false || mode === 'noencap',
}

/**
 * Settings of the address that Linux nodes publish for their tunnels. Windows nodes of a bundle have none of them.
 * https://github.com/antrea-io/antrea/blob/v2.7.0/pkg/agent/agent.go (initK8sNodeLocalConfig)
 */
const transports = ['transportInterface', 'transportInterfaceCIDRs'] as const

const isGiven = (value: unknown) =>
  value !== undefined &&
  value !== null &&
  value !== '' &&
  !(Array.isArray(value) && value.length === 0)

export const linux: LinuxSide = {
  agent: /^antrea-agent(?:-|$)/,
  configMaps: [{ namespace: 'kube-system', name: 'antrea-config' }],
  key: 'antrea-agent.conf',
  read: (conf, where) => {
    const mode = conf['trafficEncapMode']
    const tunnel = conf['tunnelType']
    const port = conf['tunnelPort']
    const isOnWindows = backends.some((one) => one === tunnel)
    const word = isGiven(mode) ? toText(mode).toLowerCase() : 'encap'
    const unfit = ownOf(encapModes, word) ?? 'Antrea knows no such mode'
    return {
      fields: [
        { path: ['network', 'mode'], value: 'transparent', where },
        { path: ['network', 'backend'], value: isOnWindows ? tunnel : undefined, where },
        // 0 is the default of the tunnel.
        {
          path: ['network', 'antrea', 'tunnelPort'],
          value: typeof port === 'number' && port > 0 ? port : undefined,
          where,
        },
      ],
      notes: [
        ...(unfit === '' ? [] : [`trafficEncapMode is ${toText(mode)}; ${unfit}`]),
        ...(isGiven(tunnel) && !isOnWindows
          ? [
              `tunnelType is ${toText(tunnel)}; Windows nodes need ${backends.slice(0, -1).join(', ')} or ${backends.at(-1)}`,
            ]
          : []),
        ...Object.entries(fits).flatMap(([key, fit]) => {
          const value = conf[key]
          return isGiven(value) && !fit(value, word)
            ? [`${key} is ${toText(value)}; Antrea’s agent does not start with it on Windows`]
            : []
        }),
        ...transports.flatMap((key) => {
          const value = conf[key]
          return isGiven(value)
            ? [
                `${key} is ${toText(value)}; Windows nodes of the bundle tunnel from the address of their Node, so these networks must reach each other`,
              ]
            : []
        }),
      ],
    }
  },
}
