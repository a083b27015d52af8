// kubelet-csr-approver 1.2.14: with which flags and variables it starts, and which requests it approves.
// https://github.com/postfinance/kubelet-csr-approver/blob/v1.2.14/internal/cmd/cmd.go
// https://github.com/postfinance/kubelet-csr-approver/blob/v1.2.14/internal/controller/regex_ip_checks.go
import { type Finding, ignored, refused, warned } from './finding.ts'
import { holds, parseAddress, parseNetwork } from './go/ip.ts'

type Flag = 'text' | 'number' | 'switch'

const flagKinds: Readonly<Record<string, Flag>> = {
  level: 'number',
  'metrics-bind-address': 'text',
  'health-probe-bind-address': 'text',
  'leader-election': 'switch',
  'provider-regex': 'text',
  'max-expiration-sec': 'number',
  'bypass-dns-resolution': 'switch',
  'bypass-hostname-check': 'switch',
  'ignore-non-system-node': 'switch',
  'skip-deny-step': 'switch',
  'allowed-dns-names': 'number',
  'provider-ip-prefixes': 'text',
}

export type Flags = Readonly<Record<string, string | number | boolean>>

const defaults: Flags = {
  level: 0,
  'provider-regex': '.*',
  'max-expiration-sec': 367 * 24 * 3600,
  'bypass-dns-resolution': false,
  'bypass-hostname-check': false,
  'ignore-non-system-node': false,
  'skip-deny-step': false,
  'allowed-dns-names': 1,
  'provider-ip-prefixes': '0.0.0.0/0,::/0',
}

/** As Go's strconv reads them. */
const forms: Readonly<Record<Flag, RegExp>> = {
  text: /^[^]*$/,
  number: /^[+-]?\d+$/,
  switch: /^(?:1|t|T|TRUE|true|True|0|f|F|FALSE|false|False)$/,
}

function valueOf(kind: Flag, text: string): string | number | boolean {
  if (kind === 'number') return Number(text)
  return kind === 'switch' ? /^[1tT]/.test(text) : text
}

interface Read {
  readonly flags: Flags
  readonly findings: readonly Finding[]
}

/** Go's package flag: words until the first without a dash; then variables of flags that were not given. */
function readFlags(args: readonly string[], env: Readonly<Record<string, string>>): Read {
  const flags: Record<string, string | number | boolean> = {}
  const findings: Finding[] = []
  const words = [...args]
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const [, name, value] = /^--?([^-=][^=]*)(?:=([^]*))?$/.exec(word) ?? []
    if (name === undefined) {
      findings.push(ignored(`${[word, ...words].join(' ')} is not read`))
      break
    }
    const kind = flagKinds[name]
    if (kind === undefined) {
      findings.push(refused(`flag provided but not defined: -${name}`))
      continue
    }
    const text = value ?? (kind === 'switch' ? 'true' : (words.shift() ?? ''))
    if (!forms[kind].test(text)) findings.push(refused(`invalid value "${text}" for -${name}`))
    flags[name] = valueOf(kind, text)
  }
  const names = new Map(
    Object.keys(flagKinds).map((name) => [name.toUpperCase().replaceAll('-', '_'), name]),
  )
  for (const [variable, text] of Object.entries(env)) {
    const name = names.get(variable)
    const kind = flagKinds[name ?? '']
    if (name === undefined || kind === undefined || text === '')
      findings.push(ignored(`${variable} has no effect`))
    else if (!forms[kind].test(text)) findings.push(refused(`${variable}: parse error`))
    else flags[name] ??= valueOf(kind, text)
  }
  return { flags: { ...defaults, ...flags }, findings }
}

/** Go's package net/netip refuses leading zeros of the length. */
const parsePrefix = (text: string) => (/\/0\d/.test(text) ? undefined : parseNetwork(text))

const between = (value: unknown, from: number, to: number) =>
  typeof value === 'number' && value >= from && value <= to

/** Go's package regexp has no lookaround. */
function isExpression(text: string): boolean {
  try {
    new RegExp(text)
  } catch {
    return false
  }
  return !/\(\?[=!<]/.test(text)
}

/** Its messages at its start, and the flags that it then has. */
export function startApprover(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Read {
  const { flags, findings } = readFlags(args, env)
  const regex = String(flags['provider-regex'])
  const prefixes = String(flags['provider-ip-prefixes']).split(',')
  const bad = prefixes.filter((text) => parsePrefix(text) === undefined)
  return {
    flags,
    findings: [
      ...findings,
      ...(between(flags['max-expiration-sec'], 0, 367 * 24 * 3600)
        ? []
        : [refused('the maximum expiration seconds cannot be lower than 0')]),
      ...(between(flags['allowed-dns-names'], 1, 1000)
        ? []
        : [warned('the number of allowed DNS names must be at least 1 and no more than 1000')]),
      ...(between(flags['level'], -5, 10) ? [] : [refused('log level should be between')]),
      ...(regex === '' ? [refused('the provider-specific regex must be specified')] : []),
      ...(isExpression(regex) ? [] : [refused(`panic: regexp: ${regex}`)]),
      ...bad.map((text) => refused(`Unable to parse IP prefix: ${text}`)),
    ],
  }
}

export interface Request {
  readonly username: string
  readonly commonName: string
  readonly dnsNames: readonly string[]
  readonly ipAddresses: readonly string[]
  readonly signerName: string
}

/** A stand-in for DNS: the addresses of each name. */
export type Answers = Readonly<Record<string, readonly string[]>>

/** Refused is Denied, ignored is no condition. */
export function judgeRequest(given: Flags, request: Request, dns: Answers): readonly Finding[] {
  const flags = { ...defaults, ...given }
  if (request.signerName !== 'kubernetes.io/kubelet-serving') return [ignored('another signer')]
  const reason = denial(flags, request, dns)
  if (reason === undefined) return []
  if (reason === 'username' && flags['ignore-non-system-node'] === true)
    return [ignored('another user')]
  return [flags['skip-deny-step'] === true ? ignored(reason) : refused(reason)]
}

function denial(flags: Flags, request: Request, dns: Answers): string | undefined {
  const { username, commonName, dnsNames, ipAddresses } = request
  const node = username.replace(/^system:node:/, '')
  if (node === username) return 'username'
  if (dnsNames.length + ipAddresses.length === 0) return 'no SAN'
  if (commonName !== username) return 'common name'
  if (dnsNames.length > Number(flags['allowed-dns-names'])) return 'more DNS names than allowed'
  const regex = new RegExp(String(flags['provider-regex']))
  const checked = flags['bypass-hostname-check'] !== true
  if (checked && dnsNames.some((name) => !name.startsWith(node))) return 'not prefixed by the node'
  if (dnsNames.some((name) => !regex.test(name))) return 'regex'
  const prefixes = String(flags['provider-ip-prefixes'])
    .split(',')
    .flatMap((text) => parsePrefix(text) ?? [])
  const isAllowed = (text: string) => {
    const address = parseAddress(text)
    return address !== undefined && prefixes.some((prefix) => holds(prefix, address))
  }
  if (dnsNames.length > 0 && flags['bypass-dns-resolution'] !== true) {
    if (dnsNames.some((name) => (dns[name] ?? []).length === 0)) return 'not resolved'
    const resolved = dnsNames.flatMap((name) => dns[name] ?? [])
    if (!resolved.every(isAllowed)) return 'resolved address outside of the prefixes'
    if (!ipAddresses.every((address) => resolved.includes(address))) return 'address not resolved'
  }
  return ipAddresses.every(isAllowed) ? undefined : 'address outside of the prefixes'
}
