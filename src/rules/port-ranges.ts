// Ports of the node's programs, and port ranges: NodePorts, dynamic ports, and ports excluded from them.
import { type Listener, listenersOf } from '../components/listeners.ts'
import type { Facts } from '../model/facts.ts'
import { valueAt } from '../model/json.ts'
import { defineRule, when } from '../model/rule.ts'

const exclusions =
  'https://learn.microsoft.com/troubleshoot/windows-server/networking/reserve-range-ephemeral-ports'

const knownPorts = 'https://kubernetes.io/docs/reference/networking/ports-and-protocols/'

type Range = readonly [from: number, to: number]

function rangeOf(ports: string): Range {
  const [from = 0, to = from] = ports.split('-').map(Number)
  return [from, to]
}

const isRange = ([from, to]: Range): boolean => from > 0 && to <= 65_535 && from <= to
const overlap = (a: Range, b: Range): boolean => a[0] <= b[1] && b[0] <= a[1]
const covers = (a: Range, b: Range): boolean => a[0] <= b[0] && b[1] <= a[1]

/** Dynamic ports by protocol; winnode does not change the default of Windows for UDP. */
const dynamicPorts = ({ spec }: Facts) =>
  [
    ['TCP', spec.host.dynamicPorts],
    ['UDP', '49152-65535'],
  ] as const

export const nodePortRange = defineRule({
  id: 'node-port-range-malformed',
  severity: 'error',
  summary: 'The NodePort range is valid.',
  remedy: 'Write it like 30000-32767.',
  see: 'https://kubernetes.io/docs/reference/networking/ports-and-protocols/',
  check: ({ spec }) => {
    const { nodePortRange: range } = spec.host.firewall
    return when(
      !isRange(rangeOf(range)),
      ['host', 'firewall', 'nodePortRange'],
      `${range} is not a valid port range`,
    )
  },
})

export const dynamicPortRange = defineRule({
  id: 'dynamic-ports-refused',
  severity: 'error',
  summary: 'Windows accepts the range of dynamic ports.',
  remedy: 'Use at least 255 ports above 1024, such as 34000-65535.',
  see: 'https://learn.microsoft.com/troubleshoot/windows-server/networking/default-dynamic-port-range-tcpip-chang',
  check: ({ spec }) => {
    const range = rangeOf(spec.host.dynamicPorts)
    return when(
      !isRange(range) || range[0] < 1025 || range[1] - range[0] + 1 < 255,
      ['host', 'dynamicPorts'],
      `Windows refuses ${spec.host.dynamicPorts}; it needs at least 255 ports from 1025 to 65535`,
    )
  },
})

export const excludedRange = defineRule({
  id: 'excluded-ports-malformed',
  severity: 'error',
  byValue: true,
  summary: 'Excluded ports are valid ranges.',
  remedy: 'Write them like 65330 or 30000-32767.',
  see: exclusions,
  check: ({ spec }) =>
    spec.host.excludedPorts.flatMap(({ ports }, at) =>
      when(
        !isRange(rangeOf(ports)),
        ['host', 'excludedPorts', at, 'ports'],
        `${ports} is not a valid port or port range`,
      ),
    ),
})

export const excludedTwice = defineRule({
  id: 'excluded-ports-overlap',
  severity: 'error',
  summary: 'Excluded port ranges do not overlap.',
  remedy: 'Merge the ranges into one.',
  see: exclusions,
  check: ({ spec }) =>
    spec.host.excludedPorts.flatMap(({ protocol, ports }, at, all) => {
      const earlier = all
        .slice(0, at)
        .find(
          (other) => other.protocol === protocol && overlap(rangeOf(other.ports), rangeOf(ports)),
        )
      return when(
        earlier !== undefined,
        ['host', 'excludedPorts', at, 'ports'],
        `${protocol} ${ports} overlaps ${earlier?.ports ?? ''}; Windows refuses to exclude a port twice`,
      )
    }),
})

export const nodePortsDynamic = defineRule({
  id: 'node-ports-are-dynamic',
  severity: 'error',
  summary: 'NodePorts are not dynamic ports, or are excluded from them.',
  remedy: 'Move host.dynamicPorts, or add the NodePort range to host.excludedPorts.',
  see: 'https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/staging/cse/windows/configfunc.ps1',
  check: (facts) => {
    const { firewall, excludedPorts } = facts.spec.host
    const nodePorts = rangeOf(firewall.nodePortRange)
    return dynamicPorts(facts).flatMap(([protocol, ports]) => {
      const excluded = excludedPorts.some(
        (row) => row.protocol === protocol && covers(rangeOf(row.ports), nodePorts),
      )
      return when(
        isRange(nodePorts) && overlap(rangeOf(ports), nodePorts) && !excluded,
        ['host', 'firewall', 'nodePortRange'],
        `NodePorts ${firewall.nodePortRange} overlap the dynamic ${protocol} ports ${ports}; Services whose port is in use get no load balancer (0x803b0013)`,
      )
    })
  },
})

/** Whether a profile sets it itself, not winnode. */
function isSet({ path: [home, group, ...rest] }: Listener, { spec }: Facts): boolean {
  return (
    (home === 'kubelet' || home === 'kubeProxy') &&
    group === 'config' &&
    valueAt(spec[home].config, rest) !== undefined
  )
}

export const portUsedTwice = defineRule({
  id: 'port-used-twice',
  severity: 'error',
  summary: 'No two programs of the node listen on the same port.',
  remedy: 'Set another port.',
  see: knownPorts,
  check: (facts) => {
    const all = listenersOf(facts)
    return all.flatMap((one, at) => {
      const first = all.slice(0, at).find(({ port }) => port === one.port)
      if (!first) return []
      const path = isSet(first, facts) ? first.path : one.path
      return [
        {
          path,
          message: `port ${one.port} is both for the ${first.what} and the ${one.what}; only one of them gets the connections`,
        },
      ]
    })
  },
})

export const portInRange = defineRule({
  id: 'port-in-used-range',
  severity: 'warning',
  harm: 'breaks',
  summary: 'Ports of the node’s programs are neither NodePorts nor dynamic ports.',
  remedy: 'Set a port below both ranges.',
  see: knownPorts,
  check: (facts) => {
    const { firewall, dynamicPorts: dynamic, excludedPorts } = facts.spec.host
    return listenersOf(facts).flatMap(({ what, port, path }) => {
      const within = (ports: string) =>
        isRange(rangeOf(ports)) && covers(rangeOf(ports), [port, port])
      const isExcluded = excludedPorts.some((row) => row.protocol === 'TCP' && within(row.ports))
      return [
        ...when(
          within(firewall.nodePortRange),
          path,
          `port ${port} (${what}) is in the NodePort range ${firewall.nodePortRange}; a Service can have the same port`,
        ),
        ...when(
          within(dynamic) && !isExcluded,
          path,
          `port ${port} (${what}) is in the dynamic TCP ports ${dynamic}; another program can use it first`,
        ),
      ]
    })
  },
})
