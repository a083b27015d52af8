// Node: the labels, taints and RuntimeClasses of a profile, which decide which pods run on its nodes.
import { runtimeClassNames } from '../artifacts/cluster.ts'
import type { Facts } from '../model/facts.ts'
import {
  buildLabel,
  keepsPodsOff,
  osLabel,
  type RuntimeClass,
  runtimeClassName,
  tolerates,
  tolerationsOf,
  wantedLabels,
} from './scheduling.ts'
import type { Workload } from './workload.ts'

export type RuntimeClasses = ReadonlyMap<string, RuntimeClass>

/** Known before the node registers; a cloud adds more. */
function labelsOf({ spec, windows }: Facts): Readonly<Record<string, string>> {
  return {
    ...spec.kubelet.labels,
    [osLabel]: 'windows',
    'kubernetes.io/arch': 'amd64',
    [buildLabel]: buildText(windows.build),
  }
}

/** As the kubelet labels its node: https://kubernetes.io/docs/reference/labels-annotations-taints/ */
function buildText(build: number): string {
  return `10.0.${build}`
}

/** Those that the profile renders. */
export function renderedRuntimeClasses(facts: Facts): RuntimeClasses {
  const { taints } = facts.spec.kubelet
  const scheduling = {
    nodeSelector: { [osLabel]: 'windows', [buildLabel]: buildText(facts.windows.build) },
    tolerations: taints.map((taint) => ({ ...taint, operator: 'Equal' })),
  }
  return new Map(
    runtimeClassNames(facts).map(({ name, handler }) => [name, { handler, ...scheduling }]),
  )
}

/** Whether the labels of the node, as far as the profile sets them, fit what the pods ask for. */
export function isSelected(
  workload: Workload,
  facts: Facts,
  runtimeClass: RuntimeClass | undefined,
): boolean {
  const labels = labelsOf(facts)
  const wanted = [
    ...wantedLabels(workload),
    ...Object.entries(runtimeClass?.nodeSelector ?? {}).map(
      ([key, value]) => [key, [value]] as const,
    ),
  ]
  return wanted.every(([key, values]) => {
    const label = Object.hasOwn(labels, key) ? labels[key] : undefined
    return label === undefined || values.includes(label)
  })
}

/** Taints of the node that keep the pods off it. */
export function untolerated(
  workload: Workload,
  { spec }: Facts,
  runtimeClass: RuntimeClass | undefined,
) {
  const tolerations = [...tolerationsOf(workload), ...(runtimeClass?.tolerations ?? [])]
  return spec.kubelet.taints.filter(
    (taint) => keepsPodsOff(taint) && !tolerates(tolerations, taint),
  )
}

export function classOf(workload: Workload, known: RuntimeClasses): RuntimeClass | undefined {
  return known.get(runtimeClassName(workload))
}
