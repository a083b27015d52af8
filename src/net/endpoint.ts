// The endpoint of an API server: `host:port`, in which an IPv6 address has brackets.

interface EndpointParts {
  /** A name or an address, without brackets. */
  readonly host: string
  readonly port: string
}

export function endpointParts(endpoint: string): EndpointParts {
  const [, host = endpoint, port = ''] = /^(.*):(\d+)$/.exec(endpoint) ?? []
  return { host: host.replace(/^\[|\]$/g, ''), port }
}
