// What Calico's Installation says of the cluster: pool, block size, and what Windows nodes do not support.
import { isList, isObject, valueAt, type JsonObject } from '../../model/json.ts'
import type { LinuxSays, LinuxSide } from '../plugin.ts'

export const linux: LinuxSide = {
  daemonSet: /^calico-node$/,
  configMaps: [],
  object: {
    path: '/apis/operator.tigera.io/v1/installations/default',
    what: 'Installation default',
  },
  read,
}

function read(installation: JsonObject, where: string): LinuxSays {
  const network = valueAt(installation, ['spec', 'calicoNetwork'])
  const at = (key: string) => (isObject(network) ? network[key] : undefined)
  const pools = at('ipPools')
  // The operator reads only the first IPv4 pool for Windows.
  const pool = isList(pools) ? pools.find((one) => isObject(one) && !isIPv6(one)) : undefined
  const of = (key: string) => (isObject(pool) ? pool[key] : undefined)
  const field = (name: string, key: string, value = of(key)) => ({
    path: name.split('.'),
    value,
    where: `${where}, ${key}`,
  })
  const nat = of('natOutgoing')
  // Left out, they are IPIP and Enabled.
  const encapsulation = of('encapsulation') ?? 'IPIP'
  const bgp = at('bgp') ?? 'Enabled'
  const routed = encapsulation === 'None'
  // The operator's choice: with host-local and without BGP, no backend.
  const none =
    routed &&
    bgp === 'Disabled' &&
    valueAt(installation, ['spec', 'cni', 'ipam', 'type']) === 'HostLocal'
  return {
    fields: [
      field(
        'network.podCIDRs',
        'ipPools',
        typeof of('cidr') === 'string' ? [of('cidr') ?? ''] : undefined,
      ),
      field('network.calico.blockSize', 'blockSize'),
      field(
        'network.calico.natOutgoing',
        'natOutgoing',
        nat === undefined ? nat : nat === 'Enabled',
      ),
      { path: ['network', 'mode'], value: routed ? 'l2bridge' : 'overlay', where },
      { path: ['network', 'backend'], value: none ? 'none' : undefined, where },
    ],
    notes: [
      ...unlike('the encapsulation of the first pool', encapsulation, routed ? 'None' : 'VXLAN'),
      ...unlike('bgp', bgp, routed && !none ? 'Enabled' : 'Disabled'),
    ],
  }
}

const isIPv6 = ({ cidr }: JsonObject) => typeof cidr === 'string' && cidr.includes(':')

const unlike = (what: string, found: unknown, needed: string) =>
  found === needed
    ? []
    : [`${what} is ${String(found)}; Windows nodes of this profile need ${needed}`]
