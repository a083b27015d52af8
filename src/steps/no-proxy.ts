// NO_PROXY: the destinations that containerd reaches without the proxy.
import type { NodeSpec } from '../model/spec.ts'

export function noProxyOf({ network, join, host }: NodeSpec): readonly string[] {
  const endpoint = join.endpoint?.replace(/:\d+$/, '')
  return [
    ...new Set([
      ...(host.proxy?.noProxy ?? []),
      ...(endpoint === undefined ? [] : [endpoint]),
      ...network.podCIDRs,
      ...network.serviceCIDRs,
      ...network.nodeCIDRs,
      '.svc',
      `.${network.clusterDomain}`,
      'localhost',
      '127.0.0.1',
      // The instance metadata service of clouds.
      '169.254.169.254',
    ]),
  ]
}
