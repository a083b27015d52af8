// What flanneld on Windows says of its flags and files: main.go, pkg/subnet/kube/kube.go.
// https://github.com/flannel-io/flannel/blob/master/main.go
import type { JsonObject } from '../../../src/model/json.ts'
import { isRefused, refused, type Finding } from '../finding.ts'
import { parseDuration } from '../../../src/go/duration.ts'
import { parseAddress } from '../go/ip.ts'
import { isLevel, isModuleSpec, isTraceLocation } from '../go/klog.ts'
import { parseBoolean, parseInteger } from '../go/numbers.ts'
import { judgeKubeconfig } from '../kubeconfig.ts'
import { judgeNetConf, judgePodNetworks } from './net-conf.ts'

type FlagType = 'bool' | 'int' | 'string' | 'duration' | 'level' | 'modules' | 'trace'

export const flanneldFlags: Readonly<Record<string, FlagType>> = {
  'etcd-cafile': 'string',
  'etcd-certfile': 'string',
  'etcd-endpoints': 'string',
  'etcd-keyfile': 'string',
  'etcd-password': 'string',
  'etcd-prefix': 'string',
  'etcd-username': 'string',
  'healthz-ip': 'string',
  'healthz-port': 'int',
  iface: 'string',
  'iface-can-reach': 'string',
  'iface-regex': 'string',
  'ip-blackhole-route': 'bool',
  'ip-masq': 'bool',
  'ip-masq-fully-random-disable': 'bool',
  'iptables-forward-rules': 'bool',
  'iptables-resync': 'int',
  'kube-annotation-prefix': 'string',
  'kube-api-url': 'string',
  'kube-subnet-mgr': 'bool',
  'kubeconfig-file': 'string',
  log_backtrace_at: 'trace',
  'net-config-path': 'string',
  'public-ip': 'string',
  'public-ipv6': 'string',
  'set-node-network-unavailable': 'bool',
  'subnet-file': 'string',
  'subnet-lease-renew-margin': 'int',
  v: 'level',
  version: 'bool',
  vmodule: 'modules',
}

const readers: Readonly<Record<FlagType, (text: string) => unknown>> = {
  bool: parseBoolean,
  int: (text) => parseInteger(text, 64),
  string: (text) => text,
  duration: parseDuration,
  level: (text) => isLevel(text) || undefined,
  modules: (text) => isModuleSpec(text) || undefined,
  trace: (text) => isTraceLocation(text) || undefined,
}

export interface FlanneldInput {
  readonly flags: readonly string[]
  /** The text of net-conf.json; absent without the file. */
  readonly netConf?: string
  /** Of the Node object; absent where the API server has none of that name. */
  readonly podCIDRs?: readonly string[]
  readonly kubeconfig?: JsonObject
  readonly exists: (path: string) => boolean
}

export interface GoFlags {
  readonly values: ReadonlyMap<string, string>
  readonly findings: readonly Finding[]
}

/** Go's own package flag: one dash or two, and what stands after the first other word is not looked at. */
export function judgeGoFlags(
  words: readonly string[],
  types: Readonly<Record<string, FlagType>>,
): GoFlags {
  const values = new Map<string, string>()
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const [, name, glued] = /^--?([^-=][^=]*)(?:=(.*))?$/s.exec(word) ?? []
    if (name === undefined && /^-./.test(word) && word !== '--')
      return { values, findings: [refused(`bad flag syntax: ${word}`)] }
    if (name === undefined) break
    const type = Object.hasOwn(types, name) ? types[name] : undefined
    if (!type) return { values, findings: [refused(`flag provided but not defined: -${name}`)] }
    const value = glued ?? (type === 'bool' ? 'true' : words[++at])
    if (value === undefined)
      return { values, findings: [refused(`flag needs an argument: -${name}`)] }
    if (readers[type](value) === undefined)
      return {
        values,
        findings: [refused(`invalid value "${value}" for flag -${name}: parse error`)],
      }
    values.set(name, value)
  }
  return { values, findings: [] }
}

export function judgeFlanneld(input: FlanneldInput): readonly Finding[] {
  const { values, findings } = judgeGoFlags(input.flags, flanneldFlags)
  if (isRefused(findings)) return findings
  const margin = Number(values.get('subnet-lease-renew-margin') ?? 60)
  const early = [
    ...(margin >= 24 * 60 || margin <= 0
      ? [refused('Invalid subnet-lease-renew-margin option, out of acceptable range')]
      : []),
    // The nodes of winnode have no etcd.
    ...(parseBoolean(values.get('kube-subnet-mgr') ?? 'false') === true
      ? []
      : [refused('Created subnet manager: Etcd Local Manager; no answer at --etcd-endpoints')]),
    ...judgeAccess(input, values.get('kubeconfig-file') ?? '', values.get('kube-api-url') ?? ''),
    ...judgeOwn(values),
  ]
  if (input.netConf === undefined) return [...early, refused('failed to read net conf')]
  const netConf = judgeNetConf(input.netConf)
  if (isRefused(netConf.findings)) return [...early, ...netConf.findings]
  const pods = input.podCIDRs
    ? judgePodNetworks(netConf.value, input.podCIDRs)
    : [refused('Failed to get node for backend data')]
  return [...early, ...netConf.findings, ...pods]
}

/** newAnnotations of pkg/subnet/kube, LookupExtIface of pkg/ipmatch, mustRunHealthz. */
function judgeOwn(values: ReadonlyMap<string, string>): readonly Finding[] {
  const prefix = values.get('kube-annotation-prefix') ?? 'flannel.alpha.coreos.com'
  const slashed = prefix.includes('/') ? prefix : `${prefix}/`
  const whole = /[/-]$/.test(slashed) ? slashed : `${slashed}-`
  const named =
    prefix.split('/').length <= 2 && /(?:[a-z0-9_-]+\.)+[a-z0-9_-]+\/(?:[a-z0-9_-]+-)?$/.test(whole)
  const bad = ['public-ip', 'public-ipv6'].filter((flag) => {
    const address = values.get(flag) ?? ''
    return address !== '' && !parseAddress(address)
  })
  return [
    ...(named ? [] : [refused('subnet/kube: prefix must be in a format: fqdn/[0-9a-z-_]*')]),
    ...bad.map((flag) => refused(`invalid public IP address: ${values.get(flag) ?? ''}`)),
    ...(Number(values.get('healthz-port') ?? 0) > 65_535
      ? [refused('Start healthz server error: invalid port')]
      : []),
    ...(values.has('iface-can-reach') && !values.has('iface') && !values.has('iface-regex')
      ? [refused('ifcanreach is not supported on windows')]
      : []),
  ]
}

function judgeAccess(input: FlanneldInput, file: string, server: string): readonly Finding[] {
  if (file === '')
    return server === ''
      ? [refused('fail to create kubernetes config: no configuration has been provided')]
      : []
  if (!input.exists(file)) return [refused(`fail to create kubernetes config: ${file}: not found`)]
  return input.kubeconfig ? judgeKubeconfig(input.kubeconfig, input.exists) : []
}
