// Reads Calico's Installation: pool, block size, and what Windows nodes do not support.
import { isList, isObject, textAt, valueAt, type Json, type JsonObject } from '../../model/json.ts'
import { parseCidr } from '../../net/cidr.ts'
import type { LinuxDetection, LinuxSide } from '../plugin.ts'

export const linux: LinuxSide = {
  daemonSet: /^calico-node$/,
  configMaps: [],
  object: {
    path: '/apis/operator.tigera.io/v1/installations/default',
    what: 'Installation default',
    missing: {
      title: 'Calico without its operator',
      reason: 'has other settings than the operator writes',
      instead:
        'Install the operator, or set network.cni to none and apply Calico’s manifest for Windows nodes (calico-windows-vxlan.yaml or calico-windows-bgp.yaml).',
      see: 'https://github.com/projectcalico/calico/blob/master/manifests/calico-windows-vxlan.yaml',
    },
  },
  read,
}

function read(installation: JsonObject, where: string): LinuxDetection {
  const type = textAt(installation, ['spec', 'cni', 'type'])
  // https://github.com/tigera/operator/blob/40788b9b/api/v1/installation_types.go (CNIPluginType)
  if (type !== '' && type !== 'Calico') {
    const notes = [
      `Calico only applies policies here; the network is of ${type}, whose Windows nodes need no other settings`,
    ]
    return { fields: [], notes, onlyPolicies: true }
  }
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
      {
        path: ['network', 'adapter'],
        value: routed ? undefined : valueAt(installation, ['spec', 'windowsNodes', 'vxlanAdapter']),
        where: `${where}, windowsNodes.vxlanAdapter`,
      },
    ],
    notes: [
      ...unlike('the encapsulation of the first pool', encapsulation, routed ? 'None' : 'VXLAN'),
      ...unlike('bgp', bgp, routed && !none ? 'Enabled' : 'Disabled'),
      ...unsupportedSettings(installation, encapsulation),
    ],
  }
}

/** What the operator takes and Windows nodes break on: https://github.com/tigera/operator/blob/40788b9b/pkg/render/windows.go */
function unsupportedSettings(installation: JsonObject, encapsulation: Json): readonly string[] {
  const spec = (path: string) => valueAt(installation, ['spec', ...path.split('.')])
  const tolerations = spec('calicoNodeWindowsDaemonSet.spec.template.spec.tolerations')
  const cidrs = spec('serviceCIDRs')
  return [
    ...(spec('calicoNetwork.clusterRoutingMode') === 'Felix' && encapsulation === 'None'
      ? [
          'clusterRoutingMode is Felix without encapsulation; Windows nodes get VXLAN, which Linux nodes do not use',
        ]
      : []),
    ...['cniBinDir', 'cniConfigDir', 'cniLogDir'].flatMap((name) => {
      const folder = spec(`windowsNodes.${name}`)
      return typeof folder === 'string' && folder.includes(':')
        ? [
            `windowsNodes.${name} is ${folder}; the operator needs it without a drive, as /etc/cni/net.d`,
          ]
        : []
    }),
    ...(isList(tolerations) && !toleratesAll(tolerations)
      ? [
          'the tolerations of calicoNodeWindowsDaemonSet replace the default ones, which tolerate every taint: a Windows node with another taint gets no network',
        ]
      : []),
    ...(isList(cidrs) ? cidrs : []).flatMap((cidr) =>
      typeof cidr === 'string' && !parseCidr(cidr) ? [`serviceCIDRs: ${cidr} is no CIDR`] : [],
    ),
  ]
}

/**
 * All keys, with each effect that keeps a pod away. The default has one toleration for each:
 * https://github.com/tigera/operator/blob/v1.42.0/pkg/render/common/meta/meta.go (TolerateAll)
 */
const toleratesAll = (tolerations: readonly Json[]) =>
  ['NoSchedule', 'NoExecute'].every((effect) =>
    tolerations.some(
      (one) =>
        isObject(one) &&
        one['operator'] === 'Exists' &&
        !isGiven(one['key']) &&
        (!isGiven(one['effect']) || one['effect'] === effect),
    ),
  )

const isGiven = (value: Json | undefined) => value !== undefined && value !== ''

const isIPv6 = ({ cidr }: JsonObject) => typeof cidr === 'string' && cidr.includes(':')

const unlike = (what: string, found: unknown, needed: string) =>
  found === needed
    ? []
    : [`${what} is ${String(found)}; Windows nodes of this profile need ${needed}`]
