// What the kubelet asks of its configuration when it starts, after validation: cmd/kubelet/app/server.go.
import { refused, type Finding } from '../finding.ts'
import { parseDuration } from '../../../src/go/duration.ts'
import { parseFloating } from '../../../src/go/floating.ts'
import { parseQuantity } from '../../../src/go/quantity.ts'
import { quantityFault } from '../go/quantity.ts'
import { isBefore } from '../minors.ts'
import type { Config } from './effective.ts'
import { textOf } from '../go/scalar.ts'

export function judgeStart(config: Config): readonly Finding[] {
  return [
    ...config.list('tlsCipherSuites').map(textOf).flatMap(judgeCipher),
    ...['kubeReserved', 'systemReserved'].flatMap((path) => judgeReserved(config, path)),
    ...judgeEviction(config),
    ...config.entries('qosReserved').flatMap(judgeQOS),
    ...judgeLogSize(config.text('containerLogMaxSize')),
  ].map(refused)
}

/** component-base, cli/flag/ciphersuites_flag.go: all that crypto/tls names, insecure ones too. */
const keyExchanges = ['ECDHE_ECDSA', 'ECDHE_RSA', 'RSA']
const bulks = [
  'AES_128_CBC_SHA',
  'AES_128_CBC_SHA256',
  'AES_256_CBC_SHA',
  'AES_128_GCM_SHA256',
  'AES_256_GCM_SHA384',
  'RC4_128_SHA',
]
const ciphers = new Set([
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  ...keyExchanges.flatMap((exchange) => bulks.map((bulk) => `TLS_${exchange}_WITH_${bulk}`)),
  ...['ECDHE_RSA', 'RSA'].map((exchange) => `TLS_${exchange}_WITH_3DES_EDE_CBC_SHA`),
  ...['ECDHE_ECDSA', 'ECDHE_RSA'].flatMap((exchange) =>
    ['', '_SHA256'].map((end) => `TLS_${exchange}_WITH_CHACHA20_POLY1305${end}`),
  ),
])

function judgeCipher(suite: string): readonly string[] {
  return ciphers.has(suite) ? [] : [`Cipher suite ${suite} not supported or doesn't exist`]
}

const reservable = ['cpu', 'memory', 'ephemeral-storage', 'pid']

/** parseResourceList */
function judgeReserved(config: Config, path: string): readonly string[] {
  return config.entries(path).flatMap(([kind, amount]) => {
    const quantity = parseQuantity(amount)
    if (!reservable.includes(kind)) return [`${path}: cannot reserve "${kind}" resource`]
    if (!quantity) return [`${path}: failed to parse quantity "${amount}": ${quantityFault}`]
    return quantity.negative
      ? [`${path}: resource quantity for "${kind}" cannot be negative: ${amount}`]
      : []
  })
}

const signals = [
  'memory.available',
  'allocatableMemory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'imagefs.available',
  'imagefs.inodesFree',
  'pid.available',
]
// https://github.com/kubernetes/kubernetes/pull/120616
const newSignals = ['containerfs.available', 'containerfs.inodesFree']

/** pkg/kubelet/eviction/helpers.go, ParseThresholdConfig. */
function judgeEviction(config: Config): readonly string[] {
  const known = isBefore(config.version, '1.29') ? signals : [...signals, ...newSignals]
  const foreign = [
    'evictionHard',
    'evictionSoft',
    'evictionSoftGracePeriod',
    'evictionMinimumReclaim',
  ]
    .flatMap((path) => config.entries(path))
    .filter(([signal]) => !known.includes(signal))
    .map(([signal]) => `unsupported eviction signal ${signal}`)
  const periods = new Map(config.entries('evictionSoftGracePeriod'))
  return [
    ...foreign,
    ...['evictionHard', 'evictionSoft'].flatMap((path) =>
      config.entries(path).flatMap(([signal, value]) => judgeThreshold(signal, value)),
    ),
    ...[...periods].flatMap(([signal, period]) => judgePeriod(signal, period)),
    ...config
      .entries('evictionSoft')
      .filter(([signal, value]) => !isSkipped(value) && !periods.has(signal))
      .map(
        ([signal]) => `grace period must be specified for the soft eviction threshold ${signal}`,
      ),
    ...config
      .entries('evictionMinimumReclaim')
      .flatMap(([signal, value]) => judgeReclaim(signal, value)),
  ]
}

const isSkipped = (value: string) => value === '0%' || value === '100%'

/** As a float32, which NaN is one of. */
function parsePercentage(text: string): number | undefined {
  const percent = parseFloating(text.replace(/%+$/, ''))
  return percent === undefined ? undefined : Math.fround(percent / 100)
}

function judgeThreshold(signal: string, value: string): readonly string[] {
  if (isSkipped(value)) return []
  if (value.endsWith('%')) {
    const percent = parsePercentage(value)
    if (percent === undefined) return [`strconv.ParseFloat: parsing "${value}": invalid syntax`]
    if (percent < 0) return [`eviction percentage threshold ${signal} must be >= 0%: ${value}`]
    return percent > 1 ? [`eviction percentage threshold ${signal} must be <= 100%: ${value}`] : []
  }
  const quantity = parseQuantity(value)
  if (!quantity) return [quantityFault]
  return quantity.negative || quantity.zero
    ? [`eviction threshold ${signal} must be positive: ${value}`]
    : []
}

function judgePeriod(signal: string, period: string): readonly string[] {
  const time = parseDuration(period)
  if (time === undefined) return [`time: invalid duration "${period}"`]
  return time < 0 ? [`invalid eviction grace period specified: ${signal} ${period}`] : []
}

function judgeReclaim(signal: string, value: string): readonly string[] {
  if (value.endsWith('%')) {
    const percent = parsePercentage(value)
    return percent === undefined || percent <= 0
      ? [`eviction percentage minimum reclaim ${signal} must be positive: ${value}`]
      : []
  }
  const quantity = parseQuantity(value)
  if (!quantity) return [quantityFault]
  return quantity.negative ? [`negative eviction minimum reclaim specified for ${signal}`] : []
}

/** pkg/kubelet/cm, ParseQOSReserved: as many signs as one likes. */
function judgeQOS([kind, value]: readonly [string, string]): readonly string[] {
  if (kind !== 'memory') return [`cannot reserve "${kind}" resource`]
  const percent = /^[-+]?\d+%+$/.test(value) ? Number(value.replace(/%+$/, '')) : NaN
  return percent >= 0 && percent <= 100 ? [] : [`percentage expected, got '${value}'`]
}

/** pkg/kubelet/logs/container_log_manager.go, parseMaxSize. */
function judgeLogSize(size: string): readonly string[] {
  const quantity = parseQuantity(size)
  if (!quantity) return [`failed to parse container log max size "${size}": ${quantityFault}`]
  return quantity.whole ? [] : [`container log max size "${size}": invalid max log size`]
}
