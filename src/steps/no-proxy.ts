// NO_PROXY: the destinations that containerd reaches without the proxy.
import { endpointParts } from '../net/endpoint.ts'
import type { NodeSpec } from '../model/spec.ts'

export function noProxyOf({ network, join, host }: NodeSpec): readonly string[] {
  // Without brackets: Go's httpproxy takes `[2001:db8::1]` for a name.
  // https://github.com/golang/net/blob/v0.50.0/http/httpproxy/proxy.go
  const { host: endpoint } = endpointParts(join.endpoint ?? '')
  return [
    ...new Set([
      ...(host.proxy?.noProxy ?? []),
      ...(endpoint === '' ? [] : [endpoint]),
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
