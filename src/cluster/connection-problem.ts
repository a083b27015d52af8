// Connection-problem: what Node says of a connection, in words that tell what to look at.
import type { Access } from './access.ts'
import type { Conceal } from './conceal.ts'
import { hostOf, portOf } from './proxy/choose.ts'
import { ProxyRefusal } from './proxy/target.ts'
import { ClusterProblem } from './problem.ts'
import { TooLong } from './transport.ts'

interface Words {
  readonly says: string
  readonly hint?: string
}

const untrusted: Words = {
  says: 'its certificate is signed by nobody whom the kubeconfig trusts',
  hint: 'certificate-authority in the kubeconfig names the CA; without one, the roots that Node.js knows count',
}

/** https://nodejs.org/api/errors.html and https://docs.openssl.org/master/man3/X509_STORE_CTX_get_error/ */
const codes: Readonly<Record<string, Words>> = {
  ECONNREFUSED: { says: 'nothing listens there' },
  ECONNRESET: { says: 'it ended the connection' },
  EPIPE: { says: 'it ended the connection' },
  EHOSTUNREACH: { says: 'there is no way to it' },
  ENETUNREACH: { says: 'there is no way to it' },
  ENOTFOUND: { says: 'its name is not known' },
  EAI_AGAIN: { says: 'its name cannot be looked up now' },
  ETIMEDOUT: { says: 'it does not answer' },
  ABORT_ERR: { says: 'it did not answer in time' },
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  CERT_HAS_EXPIRED: { says: 'its certificate has expired' },
  CERT_NOT_YET_VALID: {
    says: 'its certificate is not valid yet',
    hint: 'is the clock of this machine right?',
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    says: 'its certificate is for another name',
    hint: 'tls-server-name in the kubeconfig says which name it is for',
  },
  ERR_SSL_WRONG_VERSION_NUMBER: { says: 'it does not speak TLS' },
  ERR_SSL_PACKET_LENGTH_TOO_LONG: { says: 'it does not speak TLS' },
  HPE_INVALID_CONSTANT: { says: 'it does not speak HTTP' },
}

export function connectionProblem(
  thrown: unknown,
  { server }: Access,
  proxy: URL | undefined,
  conceal: Conceal,
): ClusterProblem {
  if (thrown instanceof ClusterProblem) return thrown
  const { says, hint } = wordsOf(thrown, conceal)
  const through = proxy ? [`the way there leads through the proxy ${addressOf(proxy)}`] : []
  return new ClusterProblem('connection', `the API server ${addressOf(server)}: ${says}`, [
    ...(hint === undefined ? [] : [hint]),
    ...through,
  ])
}

/** Host and port alone: the rest of an address may be a secret. */
function addressOf(url: URL): string {
  const host = hostOf(url)
  return `${host.includes(':') ? `[${host}]` : host}:${portOf(url)}`
}

function wordsOf(thrown: unknown, conceal: Conceal): Words {
  if (thrown instanceof TooLong) return { says: 'its answer is longer than any of an API server' }
  if (thrown instanceof ProxyRefusal) return { says: `it cannot be reached: ${thrown.message}` }
  if (!(thrown instanceof Error)) return { says: 'the connection failed' }
  const code = codeOf(thrown)
  const known = codes[code]
  if (known) return known
  if (/^ERR_SSL_.*ALERT/.test(code))
    return {
      says: `it refused the TLS connection (${code})`,
      hint: 'is the client certificate right?',
    }
  if (/^ERR_(?:OSSL|SSL|CRYPTO)/.test(code))
    return { says: `a certificate or key of the kubeconfig cannot be used (${code})` }
  return { says: conceal(thrown.message) }
}

/** Of several addresses of one name, Node gives all errors. */
function codeOf(error: Error): string {
  const inner = error instanceof AggregateError ? firstOf(error.errors) : error
  return inner instanceof Error && 'code' in inner ? String(inner.code) : ''
}

function firstOf(errors: readonly unknown[]): unknown {
  return errors.at(0)
}
