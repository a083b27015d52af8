// What the kubelet asks of eviction thresholds when it starts.
import type { Constraint } from '../../model/constraint.ts'

const see = 'https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/eviction/helpers.go'

const signals = [
  'memory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'imagefs.available',
  'imagefs.inodesFree',
  'allocatableMemory.available',
  'pid.available',
]
const maps = ['evictionHard', 'evictionSoft', 'evictionSoftGracePeriod', 'evictionMinimumReclaim']

export const evictionConstraints = (): readonly Constraint[] => [
  ...maps.flatMap((map): readonly Constraint[] => [
    { path: `${map}{key}`, range: '<1.29', oneOf: signals, see },
    {
      path: `${map}{key}`,
      range: '>=1.29',
      oneOf: [...signals, 'containerfs.available', 'containerfs.inodesFree'],
      see: 'https://github.com/kubernetes/kubernetes/pull/120616',
    },
  ]),
  { path: 'evictionHard{}', form: 'eviction threshold', see },
  { path: 'evictionMinimumReclaim{}', form: 'minimum reclaim', see },
  { path: 'evictionSoft{}', form: 'eviction threshold', see },
  ...['evictionHard{}', 'evictionSoft{}', 'evictionMinimumReclaim{}'].map((path): Constraint => ({
    path,
    form: 'number',
    ignored: 'no amount is below a share that is not a number',
    see: 'https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/eviction/api/types.go',
  })),
  { path: 'evictionSoft', keysIn: 'evictionSoftGracePeriod', see },
  { path: 'evictionSoftGracePeriod{}', form: 'grace period', see },
]
