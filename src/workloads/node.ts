// The labels, taints and RuntimeClasses of a profile, which decide which pods run on its nodes.
import { cniOf } from '../cni/index.ts'
import { settingOf } from '../components/config-table.ts'
import { kubelet } from '../components/kubelet.ts'
import { isList, ownOf, valueAt } from '../model/json.ts'
import { tolerates } from '../matrix/tolerations.ts'
import { windowsVersion } from '../matrix/windows.ts'
import { runtimeClassNames } from '../artifacts/cluster.ts'
import type { Facts } from '../model/facts.ts'
import {
  buildLabel,
  blocksScheduling,
  osLabel,
  type RuntimeClass,
  runtimeClassName,
  tolerationsOf,
  requiredLabels,
} from './scheduling.ts'
import type { Workload } from './workload.ts'

export type RuntimeClasses = ReadonlyMap<string, RuntimeClass>

/** Labels known before the node registers; a cloud provider adds more. */
function labelsOf({ spec, windows }: Facts): Readonly<Record<string, string>> {
  return {
    ...spec.kubelet.labels,
    [osLabel]: 'windows',
    'kubernetes.io/arch': 'amd64',
    [buildLabel]: windowsVersion(windows),
  }
}

/** RuntimeClasses that the profile renders. */
export function renderedRuntimeClasses(facts: Facts): RuntimeClasses {
  const { taints } = facts.spec.kubelet
  const scheduling = {
    nodeSelector: { [osLabel]: 'windows', [buildLabel]: windowsVersion(facts.windows) },
    tolerations: taints.map((taint) => ({ ...taint, operator: 'Equal' })),
  }
  return new Map(
    runtimeClassNames(facts).map(({ name, handler }) => [name, { handler, ...scheduling }]),
  )
}

/** Whether the node labels that the profile sets satisfy the pods' selectors. */
export function isSelected(
  workload: Workload,
  facts: Facts,
  runtimeClass: RuntimeClass | undefined,
): boolean {
  const labels = labelsOf(facts)
  const wanted = [
    ...requiredLabels(workload),
    ...Object.entries(runtimeClass?.nodeSelector ?? {}).map(
      ([key, value]) => [key, [value]] as const,
    ),
  ]
  return wanted.every(([key, values]) => {
    const label = ownOf(labels, key)
    return label === undefined || values.includes(label)
  })
}

/** Whether each label that the pods select is one that the profile sets. */
export function hasEachLabel(workload: Workload, facts: Facts): boolean {
  const labels = labelsOf(facts)
  return [...requiredLabels(workload).keys()].every((key) => ownOf(labels, key) !== undefined)
}

/** Node taints that the pods do not tolerate. */
export function untolerated(
  workload: Workload,
  { spec }: Facts,
  runtimeClass: RuntimeClass | undefined,
) {
  const tolerations = [...tolerationsOf(workload), ...(runtimeClass?.tolerations ?? [])]
  return spec.kubelet.taints.filter(
    (taint) => blocksScheduling(taint) && !tolerates(tolerations, taint),
  )
}

export function classOf(workload: Workload, known: RuntimeClasses): RuntimeClass | undefined {
  return known.get(runtimeClassName(workload))
}

/**
 * Whether pods with the DNS of the node have no server: resolvConf of the kubelet is empty, and they name none. A
 * provider's image has another configuration of the kubelet.
 */
export function lacksNodeDns({ spec }: Workload, node: Facts | undefined): boolean {
  const servers = valueAt(spec, ['dnsConfig', 'nameservers'])
  const namesOwn = isList(servers) && servers.length > 0
  if (namesOwn || !node || cniOf(node.spec.network.cni).image) return false
  return settingOf(kubelet, node, 'resolvConf').value === ''
}
