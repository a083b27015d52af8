// Limits and choices of single fields: ValidateKubeletConfiguration, and what reads them at start-up.
// https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/apis/config/validation/validation.go
import type { Json, JsonObject } from '../../../src/model/json.ts'
import { refused, type Finding } from '../finding.ts'
import { parseDuration } from '../../../src/go/duration.ts'
import { second } from '../go/duration.ts'
import { isWithin } from '../minors.ts'
import { at } from './defaults.ts'

interface Limit {
  readonly path: string
  /** Where it does not hold for all of them. */
  readonly minors?: string
  readonly least?: number
  readonly most?: number
  /** Allowed beside the range. */
  readonly or?: number
  /** In the unit of `least` and `most`, for durations. */
  readonly unit?: number
}

const port = { least: 1, most: 65_535 }
const percent = { least: 0, most: 100 }
const bit = { least: 0, most: 31 }
const nanosecond = 1

const limits: readonly Limit[] = [
  // https://github.com/kubernetes/kubernetes/pull/129072
  { path: 'containerLogMaxFiles', minors: '1.33-', least: 2 },
  { path: 'containerLogMaxWorkers', least: 1 },
  { path: 'containerLogMonitorInterval', unit: second, least: 3 },
  { path: 'eventBurst', least: 0 },
  { path: 'eventRecordQPS', least: 0 },
  { path: 'healthzPort', ...port, or: 0 },
  { path: 'imageGCHighThresholdPercent', ...percent },
  { path: 'imageGCLowThresholdPercent', ...percent },
  { path: 'imageMaximumGCAge', unit: second, least: 0 },
  // https://github.com/kubernetes/kubernetes/pull/135997
  { path: 'imageMinimumGCAge', minors: '1.36-', unit: second, least: 0 },
  { path: 'iptablesDropBit', ...bit },
  { path: 'iptablesMasqueradeBit', ...bit },
  { path: 'kubeAPIBurst', least: 0 },
  { path: 'kubeAPIQPS', least: 0 },
  // The ticker of older minors panics at what newer ones refuse: component-base, logs/logs.go.
  { path: 'logging.flushFrequency', unit: nanosecond, least: 1 },
  { path: 'logging.verbosity', most: 2 ** 31 - 1 },
  { path: 'maxOpenFiles', least: 0 },
  { path: 'maxParallelImagePulls', least: 1 },
  { path: 'maxPods', least: 0 },
  { path: 'memoryThrottlingFactor', least: Number.MIN_VALUE, most: 1 },
  { path: 'nodeLeaseDurationSeconds', least: 1 },
  { path: 'nodeStatusMaxImages', least: -1 },
  { path: 'oomScoreAdj', least: -1000, most: 1000 },
  { path: 'podsPerCore', least: 0 },
  { path: 'port', ...port },
  { path: 'readOnlyPort', ...port, or: 0 },
  { path: 'registryBurst', least: 0 },
  { path: 'registryPullQPS', least: 0 },
  // component-base, tracing/api/v1/config.go
  { path: 'tracing.samplingRatePerMillion', least: 0, most: 1_000_000 },
]

interface Choice {
  readonly path: string
  readonly minors?: string
  readonly values: readonly string[]
}

const choices: readonly Choice[] = [
  // cmd/kubelet/app/auth.go, BuildAuthz
  { path: 'authorization.mode', values: ['AlwaysAllow', 'Webhook'] },
  { path: 'hairpinMode', values: ['none', 'hairpin-veth', 'promiscuous-bridge'] },
  { path: 'logging.format', values: ['text', 'json'] },
  { path: 'memoryReservationPolicy', values: ['None', 'TieredReservation'] },
  // component-base, cli/flag/ciphersuites_flag.go
  {
    path: 'tlsMinVersion',
    values: ['', 'VersionTLS10', 'VersionTLS11', 'VersionTLS12', 'VersionTLS13'],
  },
  {
    path: 'topologyManagerPolicy',
    values: ['none', 'best-effort', 'restricted', 'single-numa-node'],
  },
  { path: 'topologyManagerScope', values: ['container', 'pod'] },
]

/** Of a configuration after defaulting; nothing is asked of a field that the minor lacks. */
export function judgeLimits(config: JsonObject, version: string): readonly Finding[] {
  const broken = limits.filter((limit) => {
    const value = amount(at(config, limit.path), limit.unit)
    const { least = -Infinity, most = Infinity, minors = '-' } = limit
    if (value === undefined || !isWithin(version, minors) || value === limit.or) return false
    return value < least || value > most
  })
  const strange = choices.filter(({ path, values, minors = '-' }) => {
    const value = at(config, path)
    return typeof value === 'string' && isWithin(version, minors) && !values.includes(value)
  })
  return [
    ...broken.map(({ path, least, most }) => {
      const ends = [
        ...(least === undefined ? [] : [`at least ${least}`]),
        ...(most === undefined ? [] : [`at most ${most}`]),
      ]
      const value = JSON.stringify(at(config, path))
      return refused(`invalid configuration: ${path} ${value} must be ${ends.join(' and ')}`)
    }),
    ...strange.map(({ path, values }) => {
      const value = JSON.stringify(at(config, path))
      return refused(`invalid configuration: ${path} ${value} must be one of: ${values.join(', ')}`)
    }),
  ]
}

function amount(value: Json | undefined, unit: number | undefined): number | undefined {
  if (typeof value === 'number') return value
  const time = typeof value === 'string' ? parseDuration(value) : undefined
  return time === undefined || unit === undefined ? undefined : time / unit
}
