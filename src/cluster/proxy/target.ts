// Target: where a proxy is asked to lead to, and that it would not.

export interface Target {
  readonly host: string
  readonly port: number
}

/** Holds nothing of the proxy's address, which may have a password. */
export class ProxyRefusal extends Error {}

/** As it stands in an address; what is no escape is taken as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
