// Certificates for tests, created in each run: Node signs, the little DER around it is written here.
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'

export interface Identity {
  /** PEM. */
  readonly cert: string
  readonly key: string
  readonly keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }
  readonly name: string
}

interface Wanted {
  readonly name: string
  /** The issuer; self-signed without one. */
  readonly by?: Identity
  /** Host names and IPv4 addresses. */
  readonly hosts?: readonly string[]
  /** How many days from now it ends. */
  readonly days?: number
}

export function identity({ name, by, hosts = [], days = 2 }: Wanted): Identity {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(oid('2a8648ce3d040302'))
  const body = sequence(
    der(0xa0, integer(2)),
    integer(Math.floor(Math.random() * 2 ** 30) + 1),
    algorithm,
    nameOf(by?.name ?? name),
    sequence(time(-1), time(days)),
    nameOf(name),
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions(by === undefined, hosts))),
  )
  const signature = sign('sha256', body, by?.keys.privateKey ?? keys.privateKey)
  const whole = sequence(body, algorithm, der(0x03, Buffer.from([0]), signature))
  return {
    cert: pem('CERTIFICATE', whole),
    key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    keys,
    name,
  }
}

function extensions(isCA: boolean, hosts: readonly string[]): readonly Buffer[] {
  const names = hosts.map((host) =>
    /^[\d.]+$/.test(host)
      ? der(0x87, Buffer.from(host.split('.').map(Number)))
      : der(0x82, Buffer.from(host)),
  )
  const constraints = isCA ? sequence(der(0x01, Buffer.from([0xff]))) : sequence()
  return [
    sequence(oid('551d13'), der(0x04, constraints)),
    ...(names.length > 0 ? [sequence(oid('551d11'), der(0x04, sequence(...names)))] : []),
  ]
}

function nameOf(common: string): Buffer {
  return sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(common)))))
}

function time(days: number): Buffer {
  const date = new Date(Date.now() + days * 86_400_000)
  return der(0x18, Buffer.from(date.toISOString().replace(/\.\d+|[-:T]/g, '')))
}

const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))

function integer(value: number): Buffer {
  const hex = value.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  return der(0x02, (bytes[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}
