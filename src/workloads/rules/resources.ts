// CPU, memory, huge pages and devices of containers.
import { parseQuantity, type Quantity } from '../../go/quantity.ts'
import { isList, isObject, type Json, textAt, valueAt } from '../../model/json.ts'
import { type Conflict, when } from '../../model/rule.ts'
import { defineWorkloadRule } from '../rule.ts'
import { type Container, isSet } from '../workload.ts'

const containers =
  'https://kubernetes.io/docs/concepts/windows/intro/#compatibility-v1-pod-spec-containers'
const resources = 'https://kubernetes.io/docs/concepts/configuration/windows-resource-management/'

const amounts = ['cpu', 'memory'] as const

const amountOf = ({ spec }: Container, kind: 'limits' | 'requests', name: string) =>
  valueAt(spec, ['resources', kind, name])

export const hugePages = defineWorkloadRule({
  id: 'huge-pages',
  severity: 'error',
  summary: 'Containers use no huge pages.',
  remedy: 'Delete it.',
  see: containers,
  check: (workload) =>
    workload.containers.flatMap(({ spec, path, title }) =>
      ['limits', 'requests'].flatMap((kind) => {
        const found = valueAt(spec, ['resources', kind])
        return Object.keys(isObject(found) ? found : {})
          .filter((name) => name.startsWith('hugepages-'))
          .map((name) => ({
            path: [...path, 'resources', kind, name],
            message: `${title}: ${name} is set; Windows containers have no huge pages`,
          }))
      }),
    ),
})

export const resourceClaims = defineWorkloadRule({
  id: 'resource-claims',
  severity: 'warning',
  harm: 'breaks',
  summary: 'Pods use no resource claims.',
  remedy: 'Use a device plugin, and request its resource in resources.limits.',
  see: 'https://github.com/kubernetes/kubernetes/issues/141841',
  check: ({ spec, path }) => {
    const claims = spec['resourceClaims']
    return when(
      isList(claims) && claims.length > 0,
      [...path, 'resourceClaims'],
      'resourceClaims is set; the kubelet on Windows has no dynamic resource allocation, and containers get no device',
    )
  },
})

export const limitsMissing = defineWorkloadRule({
  id: 'limits-missing',
  severity: 'warning',
  harm: 'limits',
  summary: 'Containers have limits of CPU and memory.',
  remedy: 'Set resources.limits.cpu and resources.limits.memory.',
  see: resources,
  check: (workload) => {
    // A limit of CPU is a maximum, also on an idle node: for these pods, slower is the greater harm.
    const isPartOfNode = textAt(workload.spec, ['priorityClassName']) === 'system-node-critical'
    return workload.containers.flatMap((container): readonly Conflict[] => {
      const missing = amounts.filter((name) => !isSet(amountOf(container, 'limits', name)))
      if (missing.length === 0) return []
      const lacks = `${container.title} has no limit of ${missing.join(' and ')}`
      return [
        {
          path: [...container.path, 'resources', 'limits'],
          ...(isPartOfNode && { severity: 'info' }),
          message: isPartOfNode
            ? `${lacks}; it is part of the node (system-node-critical), and can take CPU and memory from all pods`
            : `${lacks}; requests guarantee nothing on Windows`,
        },
      ]
    })
  },
})

export const requestsDiffer = defineWorkloadRule({
  id: 'requests-below-limits',
  severity: 'info',
  harm: 'limits',
  summary: 'Requests are equal to limits.',
  remedy: 'Set requests to the limits, so that the scheduler never overcommits the node.',
  see: resources,
  check: (workload) =>
    workload.containers.flatMap((container) =>
      amounts.flatMap((name): readonly Conflict[] => {
        const [limit, request] = [
          amountOf(container, 'limits', name),
          amountOf(container, 'requests', name),
        ]
        // The API server sets a missing request to the limit.
        if (!isSet(limit) || !isSet(request) || isEqual(limit, request)) return []
        return [
          {
            path: [...container.path, 'resources', 'requests', name],
            message: `${container.title}: the request of ${name} is not equal to its limit; requests guarantee nothing on Windows`,
          },
        ]
      }),
    ),
})

/** Amounts can be numbers or texts. */
function isEqual(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true
  const [a, b] = [quantityOf(one), quantityOf(other)]
  return a !== undefined && b !== undefined && productOf(a) === productOf(b)
}

function quantityOf(value: Json | undefined): Quantity | undefined {
  const isAmount = typeof value === 'string' || typeof value === 'number'
  return isAmount ? parseQuantity(String(value)) : undefined
}

/** The least that a suffix can mean: a billionth. */
const scale = 9

function productOf({ digits, twos, tens }: Quantity): bigint {
  const power = tens + scale
  return power < 0 ? 0n : digits * 2n ** BigInt(twos) * 10n ** BigInt(power)
}
