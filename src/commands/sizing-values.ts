// The fields that decide a node's reservations, each with its value and origin.
import { formatPath, type Path } from '../model/path.ts'
import { formatMebibytes, formatMillicores } from '../sizing/quantities.ts'
import type { CheckedProfile } from './check-profile.ts'
import { originOf } from './value-origin.ts'

export interface SizingValue {
  readonly path: string
  readonly value: string | number
  readonly origin: string
}

const resources = [
  { name: 'cpu', format: formatMillicores },
  { name: 'memory', format: formatMebibytes },
  { name: 'ephemeralStorage', format: formatMebibytes },
] as const

export function sizingValues(checked: CheckedProfile): readonly SizingValue[] {
  const { spec, reservations } = checked.facts
  const row = (path: Path, value: string | number, origin = originOf(checked, path)) => ({
    path: formatPath(path),
    value,
    origin,
  })
  // Amounts that the profile does not set come from its sizing model.
  const amounts = (['kube', 'system'] as const).flatMap((part) =>
    resources.map(({ name, format }) => {
      const path = ['reserve', part, name]
      const written = spec.reserve[part][name]
      return written === undefined
        ? row(path, format(reservations[part][name]), `model ${reservations.model}`)
        : row(path, written)
    }),
  )
  return [
    row(['kubernetes', 'version'], spec.kubernetes.version),
    row(['machine', 'cpu'], spec.machine.cpu),
    row(['machine', 'memory'], spec.machine.memory),
    row(['machine', 'disk'], spec.machine.disk),
    row(['kubelet', 'maxPods'], spec.kubelet.maxPods),
    row(['reserve', 'model'], spec.reserve.model),
    ...amounts,
    ...Object.entries(spec.reserve.evictionHard).map(([signal, threshold]) =>
      row(['reserve', 'evictionHard', signal], threshold),
    ),
  ]
}
