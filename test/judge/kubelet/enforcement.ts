// What enforceNodeAllocatable and cgroupsPerQOS may say: ValidateKubeletConfiguration, validation_windows.go.
import { refused, type Finding } from '../finding.ts'
import { isBefore } from '../minors.ts'
import type { Config } from './effective.ts'
import { textOf } from '../go/scalar.ts'

const kinds = ['system-reserved', 'kube-reserved'] as const
const compressible = (kind: string) => `${kind}-compressible`

export function judgeEnforcement(config: Config): readonly Finding[] {
  const list = config.list('enforceNodeAllocatable').map(textOf)
  const perQOS = config.at('cgroupsPerQOS') === true
  if (isBefore(config.version, '1.31')) return judgeOld(list, perQOS)
  // https://github.com/kubernetes/kubernetes/pull/125982
  const known = [
    'none',
    'pods',
    ...kinds,
    ...(isBefore(config.version, '1.32') ? [] : kinds.map(compressible)),
  ]
  const faults = [
    ...list.filter((word) => !known.includes(word)).map((word) => `option "${word}" specified`),
    ...(new Set(list).size < list.length ? ['duplicated enforcements'] : []),
    ...(list.length > 1 && list.includes('none')
      ? ['may not contain additional enforcements when "none" is specified']
      : []),
    ...kinds.flatMap((kind) => judgeKind(config, kind, list)),
    ...list
      .filter((word) => !perQOS && word !== 'none' && known.includes(word))
      .map((word) => `cgroupsPerQOS must be set to true when "${word}" contained`),
  ]
  return faults.map((fault) => refused(`invalid configuration: enforceNodeAllocatable: ${fault}`))
}

function judgeKind(config: Config, kind: string, list: readonly string[]): readonly string[] {
  const [whole, part] = [list.includes(kind), list.includes(compressible(kind))]
  const cgroup = kind.replace('-reserved', 'ReservedCgroup')
  return [
    ...((whole || part) && config.text(cgroup) === '' ? [`${cgroup} must be specified`] : []),
    ...(whole && part ? [`both ${kind} and its compressible part cannot be specified`] : []),
  ]
}

function judgeOld(list: readonly string[], perQOS: boolean): readonly Finding[] {
  return [
    ...(perQOS
      ? [refused('invalid configuration: CgroupsPerQOS true is not supported on Windows')]
      : []),
    ...(list.length > 0
      ? [
          refused(
            `invalid configuration: EnforceNodeAllocatable ${list.join(', ')} is not supported on Windows`,
          ),
        ]
      : []),
  ]
}
