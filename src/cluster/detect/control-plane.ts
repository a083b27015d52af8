// Flags of the API server and the controller manager, where they run in pods.
import { type JsonObject, nameOf, textAt } from '../../model/json.ts'
import type { DetectedValue } from '../../model/detected.ts'
import type { Evidence } from './evidence.ts'
import { listAt, foundAt, splitList } from './values.ts'

type ControlPlanePod = 'kube-apiserver' | 'kube-controller-manager'

/** The values of a flag in the pods of a component; control plane nodes may differ. */
export function flagOf(
  { lists }: Evidence,
  component: ControlPlanePod,
  flag: string,
): readonly { readonly value: string; readonly where: string }[] {
  const pods = lists.get('controlPlane') ?? []
  return pods
    .filter((pod) => textAt(pod, ['metadata', 'labels', 'component']) === component)
    .flatMap((pod) => {
      const value = argumentsOf(pod)
        .find((argument) => argument.startsWith(`--${flag}=`))
        ?.slice(flag.length + 3)
      return value === undefined || value === ''
        ? []
        : [{ value, where: `Pod kube-system/${nameOf(pod)}, --${flag}` }]
    })
}

export function listFlag(
  evidence: Evidence,
  component: ControlPlanePod,
  flag: string,
): readonly DetectedValue[] {
  return flagOf(evidence, component, flag).flatMap(({ value, where }) =>
    foundAt(where, splitList(value)),
  )
}

function argumentsOf(pod: JsonObject): readonly string[] {
  return listAt(pod, ['spec', 'containers', 0, 'command'])
    .concat(listAt(pod, ['spec', 'containers', 0, 'args']))
    .filter((argument) => typeof argument === 'string')
}
