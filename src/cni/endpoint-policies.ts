// Policies that win-bridge and win-overlay put on the endpoint of each pod.
import { explain, type Settings } from '../model/setting.ts'
import type { Json } from '../model/json.ts'
import type { NodeSpec } from '../model/spec.ts'
import type { Derivation } from '../model/step.ts'

type Network = NodeSpec['network']

/** In the form of `apiVersion` 2; the last one takes the node's address on l2bridge. */
export function endpointPolicies(network: Network): readonly Json[] {
  return [natPolicy(network), ...routes(network).map(routePolicy)]
}

/**
 * What a pod reaches without address translation. On overlay a packet to anything else would leave
 * unwrapped with a pod's address, and nobody there knows the way back.
 * https://github.com/microsoft/SDN/blob/master/Kubernetes/windows/helper.v2.psm1 (Update-CNIConfig)
 */
function natPolicy({ mode, podCIDRs, serviceCIDRs, untranslated }: Network): Json {
  const others = mode === 'l2bridge' ? untranslated : []
  const exceptions = [...podCIDRs, ...serviceCIDRs, ...others]
  return endpointPolicy('OutBoundNAT', { Exceptions: exceptions })
}

/** On l2bridge the node's own address needs a route too; the node fills it in. */
function routes({ mode, serviceCIDRs }: Network): readonly string[] {
  return mode === 'l2bridge' ? [...serviceCIDRs, ''] : serviceCIDRs
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
      'EndpointPolicy: HNS keeps it with the pod’s endpoint.',
      'https://www.cni.dev/plugins/current/main/win-overlay/',
    ],
    [`${list}.value.Type`]:
      'OutBoundNAT: what leaves with the node’s address. SDNRoute: what the load balancer of the node takes.',
    [`${list}.value.Settings.Exceptions[]`]:
      'What pods reach with their own address: other pods and services, and on l2bridge what network.untranslated lists.',
    [`${list}.value.Settings.DestinationPrefix`]:
      'The service network; on l2bridge the node itself too, for its ports.',
    [`${list}.value.Settings.NeedEncap`]:
      'Handed to the virtual switch, which balances services, rather than sent as it is.',
  })
