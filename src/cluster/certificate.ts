// Reads PEM certificates with their kubeadm public key hashes.
import { createHash, X509Certificate } from 'node:crypto'

export interface Certificate {
  /** One block with LF line ends. */
  readonly pem: string
  /** `sha256:HEX` of the public key, as `--discovery-token-ca-cert-hash` takes it. */
  readonly hash: string
}

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Empty where any block is malformed: a partial list of CAs would be wrong. */
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
