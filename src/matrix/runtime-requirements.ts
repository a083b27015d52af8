// What a kubelet cannot do without in its container runtime.
import type { RuntimeRequirement } from '../model/rows.ts'
import { inRange } from './version.ts'

const checked = '2026-11-20'
const runtimeConfig =
  'https://github.com/kubernetes/enhancements/tree/master/keps/sig-node/4033-group-driver-detection-over-cri'

export const runtimeRequirements: readonly RuntimeRequirement[] = [
  {
    id: 'runtime-lacks-cri-v1',
    range: '>=1.26',
    containerd: '>=1.6',
    severity: 'error',
    why: 'the kubelet speaks CRI v1 only, and containerd before 1.6 does not serve it',
    see: 'https://github.com/kubernetes/kubernetes/pull/110618',
    checked,
  },
  {
    id: 'runtime-lacks-runtime-config',
    range: '>=1.38',
    containerd: '>=2',
    severity: 'error',
    why: 'the kubelet starts only where the runtime answers RuntimeConfig, as containerd 2 does',
    see: runtimeConfig,
    checked,
  },
  {
    id: 'runtime-is-losing-support',
    range: '>=1.34 <1.38',
    containerd: '>=2',
    severity: 'warning',
    why: 'the kubelet drops runtimes without RuntimeConfig in 1.38, and containerd 1 has none',
    see: runtimeConfig,
    checked,
  },
]

export function isUnmet(row: RuntimeRequirement, kubelet: string, containerd: string): boolean {
  return inRange(kubelet, row.range) && !inRange(containerd, row.containerd)
}
