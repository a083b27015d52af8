// Image references as containerd reads and normalises them.
// https://github.com/distribution/reference/blob/main/normalize.go, regexp.go
import { isIPv6 } from './ipv6.ts'

export interface Image {
  readonly registry: string
  readonly repository: string
  readonly tag: string | undefined
  readonly digest: string | undefined
}

const label = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])'
const domain = `${label}(?:\\.${label})*`
const domains = {
  names: new RegExp(`^${domain}(?::[0-9]+)?$`),
  all: new RegExp(`^(?:${domain}|\\[(?:[a-fA-F0-9:]+)\\])(?::[0-9]+)?$`),
}
const part = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*'
const path = new RegExp(`^${part}(?:/${part})*$`)
const tag = /^\w[\w.-]{0,127}$/
const digests: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 }

const hub = 'docker.io'

/** Go rejects the URL of a registry with a malformed IPv6 address, so containerd never requests it. */
function isAskable(registry: string): boolean {
  const [, inner] = /^\[(.*)\]/.exec(registry) ?? []
  return inner === undefined || isIPv6(inner)
}

/** Differences between containerd versions: before 1.7 it accepts no IPv6 addresses, and the length limit includes the registry. */
export interface Reading {
  readonly brackets: boolean
  /** Whether a capital letter makes the first part a registry, as a dot does. */
  readonly capitals: boolean
  readonly most: 'whole name' | 'repository'
}

const newest: Reading = { brackets: true, capitals: true, most: 'repository' }

/** ParseDockerRef; `undefined` for references that it rejects, or whose registry cannot be requested. */
export function parseImage(text: string, reading: Reading = newest): Image | undefined {
  if (/^[a-f0-9]{64}$/.test(text)) return undefined
  const [named = '', digest, ...more] = text.split('@')
  if (more.length > 0 || (digest !== undefined && !isDigest(digest))) return undefined
  const { registry, rest } = splitRegistry(named, reading)
  const colon = rest.indexOf(':')
  const repository = colon === -1 ? rest : rest.slice(0, colon)
  const given = colon === -1 ? undefined : rest.slice(colon + 1)
  if (given !== undefined && !tag.test(given)) return undefined
  return ofParts(registry, repository, given, digest, reading)
}

function ofParts(
  registry: string,
  repository: string,
  given: string | undefined,
  digest: string | undefined,
  { brackets, most }: Reading,
): Image | undefined {
  const plain = `${registry}/${repository}`
  const counted = most === 'repository' ? repository : plain
  if (counted.length > 255) return undefined
  if ((brackets ? domains.all : domains.names).test(registry)) {
    if (!path.test(repository) || !isAskable(registry)) return undefined
    return { registry, repository, tag: given, digest }
  }
  // What is no registry can still be the first part of a path, and is asked as a registry all the same.
  return path.test(plain) ? { registry, repository, tag: given, digest } : undefined
}

/** splitDockerDomain: a first part is a registry where it has a dot, a colon or a capital, or is localhost. */
function splitRegistry(
  name: string,
  { capitals }: Reading,
): { readonly registry: string; readonly rest: string } {
  const slash = name.indexOf('/')
  const first = name.slice(0, Math.max(0, slash))
  const capital = capitals && first.toLowerCase() !== first
  const named = /[.:]/.test(first) || first === 'localhost' || capital
  const registry = slash > -1 && named ? first : hub
  const rest = slash > -1 && named ? name.slice(slash + 1) : name
  if (registry !== hub && registry !== `index.${hub}`) return { registry, rest }
  return { registry: hub, rest: rest.includes('/') ? rest : `library/${rest}` }
}

/** go-digest: an algorithm that is known, and as many lower-case digits as it has. */
function isDigest(text: string): boolean {
  const [algorithm = '', hex = '', ...more] = text.split(':')
  const length = Object.hasOwn(digests, algorithm) ? digests[algorithm] : undefined
  return more.length === 0 && hex.length === length && /^[a-f0-9]+$/.test(hex)
}

/** What the CRI plugin keeps: with a digest the tag goes, with neither it is latest. */
export function normalisedImage({ registry, repository, tag: given, digest }: Image): string {
  const name = `${registry}/${repository}`
  return digest === undefined ? `${name}:${given ?? 'latest'}` : `${name}@${digest}`
}

/** Whether an image can name it: what stands before the first slash, where it is a registry. */
export function isRegistry(text: string, reading: Reading = newest): boolean {
  const image = parseImage(`${text}/image:1`, reading)
  return image?.registry === text
}
