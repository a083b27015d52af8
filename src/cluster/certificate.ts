// Certificate: the certificates in a PEM text, and the digest that kubeadm knows a CA by.
import { createHash, X509Certificate } from 'node:crypto'

export interface Certificate {
  /** One block with LF and a line end. */
  readonly pem: string
  /** `sha256:` and the digest of its public key, as `--discovery-token-ca-cert-hash` has it. */
  readonly hash: string
}

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Nothing where a block is no certificate: half of a list of CAs would be a wrong one. */
export function certificatesIn(text: string): readonly Certificate[] {
  try {
    return (text.match(block) ?? []).map((pem) => {
      const { publicKey } = new X509Certificate(pem)
      const key = publicKey.export({ type: 'spki', format: 'der' })
      return {
        pem: `${pem.replace(/[ \t]*\r?\n[ \t]*/g, '\n')}\n`,
        hash: `sha256:${createHash('sha256').update(key).digest('hex')}`,
      }
    })
  } catch {
    return []
  }
}
