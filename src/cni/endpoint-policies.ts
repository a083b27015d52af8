// HNS policies that win-bridge and win-overlay set on the endpoint of each pod.
import { explain, type Settings } from '../model/setting.ts'
import type { Json } from '../model/json.ts'
import type { NodeSpec } from '../model/spec.ts'
import type { Derivation } from '../model/step.ts'
import { wireserverRules } from './wireserver.ts'

type Network = NodeSpec['network']

/** In the format of `apiVersion` 2. On l2bridge the last route is for the node's own address, which the node fills in. */
export function endpointPolicies(network: Network, ownRoute = ''): readonly Json[] {
  return [
    natPolicy(network),
    ...routes(network, ownRoute).map(routePolicy),
    ...(network.blockWireserver ? wireserverRules : []).map((rule) => endpointPolicy('ACL', rule)),
  ]
}

/**
 * Destinations that pods reach without NAT. On overlay, a packet to any other destination would leave
 * without encapsulation and with the pod's IP as source, so replies would not arrive.
 * https://github.com/microsoft/SDN/blob/master/Kubernetes/windows/helper.v2.psm1 (Update-CNIConfig)
 */
function natPolicy({ podCIDRs, serviceCIDRs, untranslated }: Network): Json {
  // The rules reject untranslated CIDRs on overlay.
  const exceptions = [...podCIDRs, ...serviceCIDRs, ...untranslated]
  return endpointPolicy('OutBoundNAT', { Exceptions: exceptions })
}

function routes({ mode, serviceCIDRs }: Network, own: string): readonly string[] {
  return mode === 'l2bridge' ? [...serviceCIDRs, own] : serviceCIDRs
}

function routePolicy(destination: string): Json {
  return endpointPolicy('SDNRoute', { DestinationPrefix: destination, NeedEncap: true })
}

function endpointPolicy(type: string, settings: Json): Json {
  return { name: 'EndpointPolicy', value: { Type: type, Settings: settings } }
}

/** `list` is the JSON pointer of the policies. */
export function policyDerivations(
  { mode, serviceCIDRs }: Network,
  list: string,
): readonly Derivation[] {
  if (mode !== 'l2bridge') return []
  return [
    {
      pointer: `${list}/${1 + serviceCIDRs.length}/value/Settings/DestinationPrefix`,
      value: [{ text: '', fact: 'nodeIP' }, { text: '/32' }],
    },
  ]
}

/** `list` is the key of the policies: `plugins[].policies[]`. */
export const policySettings = (list: string): Settings =>
  explain('https://github.com/microsoft/hcsshim/blob/main/hcn/hcnpolicy.go', {
    [`${list}.name`]: [
      'EndpointPolicy: HNS applies it to the pod’s endpoint.',
      'https://www.cni.dev/plugins/current/main/win-overlay/',
    ],
    [`${list}.value.Type`]:
      'OutBoundNAT: traffic that leaves with the node’s IP. SDNRoute: traffic that goes to the node’s load balancer. ACL: what the pod may reach, with network.blockWireserver.',
    [`${list}.value.Settings.Exceptions[]`]:
      'Destinations that pods reach without NAT: pod and service CIDRs, and on l2bridge also network.untranslated.',
    [`${list}.value.Settings.DestinationPrefix`]:
      'The service CIDR; on l2bridge also the node’s address, for its ports.',
    [`${list}.value.Settings.NeedEncap`]:
      'true: the virtual switch processes the traffic, so that Services are load-balanced.',
    [`${list}.value.Settings.Protocols`]: '6: TCP. DNS at the same address uses UDP 53 and TCP 53.',
    [`${list}.value.Settings.Action`]: 'Block, and Allow for everything that no other rule names.',
    [`${list}.value.Settings.Direction`]: 'As the pod sees it.',
    [`${list}.value.Settings.RemoteAddresses`]: 'Azure’s Wireserver.',
    [`${list}.value.Settings.RemotePorts`]:
      '80: the machine’s goal state and certificates. 32526: settings of its extensions.',
    [`${list}.value.Settings.RuleType`]: 'Switch: the virtual switch applies it.',
    [`${list}.value.Settings.Priority`]: 'The lowest number counts.',
  })
