// Flags of the kubelet that stand for themselves: ValidateKubeletFlags, and what reads them at start-up.
// https://github.com/kubernetes/kubernetes/blob/master/cmd/kubelet/app/options/options.go
import { isObject, type Json } from '../../../src/model/json.ts'
import { ignored, refused, type Finding } from '../finding.ts'
import { parseAddress } from '../go/ip.ts'
import { isLabelValue, isQualifiedName } from '../go/names.ts'
import { isBefore, isWithin } from '../minors.ts'
import { textOf } from '../go/scalar.ts'

type Flags = ReadonlyMap<string, Json>

export function judgeNodeFlags(
  flags: Flags,
  version: string,
  on: (gate: string) => boolean,
): readonly Finding[] {
  const text = (flag: string) => textOf(flags.get(flag))
  const priority = text('windows-priorityclass')
  const runtime = text('container-runtime')
  const dual =
    text('cloud-provider') === '' || !isBefore(version, '1.32') || on('CloudDualStackNodeIPs')
  return [
    ...judgeLabels(flags.get('node-labels')),
    ...judgeAddresses(text('node-ip'), dual),
    ...(flags.has('windows-priorityclass') && !priorities.includes(priority)
      ? [refused(`unknown priority class ${priority}`)]
      : []),
    ...(flags.has('container-runtime') && runtime !== 'remote'
      ? [refused(`unsupported CRI runtime: "${runtime}", only "remote" is currently supported`)]
      : []),
    ...(isWithin(version, '1.26') && text('container-runtime-endpoint') === ''
      ? [refused('the container runtime endpoint address was not specified or empty')]
      : []),
  ]
}

/** pkg/windows/service, getPriorityValue. */
const priorities = ['IDLE', 'BELOW_NORMAL', 'NORMAL', 'ABOVE_NORMAL', 'HIGH', 'REALTIME'].map(
  (name) => `${name}_PRIORITY_CLASS`,
)

/** staging/src/k8s.io/kubelet/pkg/apis/well_known_labels.go */
const kubeletLabels = [
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'kubernetes.io/arch',
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
]

const isIn = (namespace: string, domain: string) => `.${namespace}`.endsWith(`.${domain}`)

function judgeLabels(labels: Json | undefined): readonly Finding[] {
  return Object.entries(isObject(labels) ? labels : {}).flatMap(([key, value]) => {
    const namespace = key.includes('/') ? (key.split('/', 1)[0] ?? '') : ''
    const reserved = ['kubernetes.io', 'k8s.io'].some((domain) => isIn(namespace, domain))
    const own =
      kubeletLabels.includes(key) ||
      ['kubelet.kubernetes.io', 'node.kubernetes.io'].some((domain) => isIn(namespace, domain))
    return [
      ...(reserved && !own
        ? [
            refused(
              `unknown 'kubernetes.io' or 'k8s.io' labels specified with --node-labels: ${key}`,
            ),
          ]
        : []),
      ...(isQualifiedName(key) && isLabelValue(textOf(value))
        ? []
        : [refused(`invalid node labels: '${key}=${textOf(value)}'`)]),
    ]
  })
}

/** k8s.io/component-helpers/node/util/ips.go, parseNodeIP, sloppy. */
function judgeAddresses(text: string, dual: boolean): readonly Finding[] {
  if (text === '') return []
  const given = text.split(',').map((one) => ({ one, address: parseAddress(one.trim(), true) }))
  const bad = given.filter(({ address }) => !address).map(({ one }) => one)
  const found = given.flatMap(({ address }) => address ?? [])
  const [first, second] = found
  const pair = first !== undefined && second !== undefined
  const fault =
    found.length > 2 || (pair && first.bits === second.bits)
      ? 'must contain either a single IP or a dual-stack pair of IPs'
      : pair && !dual
        ? 'must contain a single IP'
        : pair && found.some(({ value }) => value === 0n)
          ? "dual-stack node IP cannot include '0.0.0.0' or '::'"
          : undefined
  return [
    ...(bad.length > 0
      ? [ignored(`Could not parse some node IP(s), ignoring them: [${bad.join(', ')}]`)]
      : []),
    ...(fault === undefined ? [] : [refused(`bad --node-ip "${text}": ${fault}`)]),
  ]
}
