// Eviction signals: which of them a Windows kubelet observes.
// https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/#eviction-signals
import type { Ranged } from '../model/rows.ts'

export interface EvictionSignal {
  readonly signal: string
  /** Versions that act on it on Windows; absent where none does. */
  readonly acts?: Ranged
  /** What the kubelet takes where evictionHard is absent. */
  readonly defaults: readonly (Ranged & { readonly threshold: string })[]
  readonly why?: string
}

export const evictionSignals: readonly EvictionSignal[] = [
  {
    signal: 'memory.available',
    acts: { range: '>=1.31' },
    defaults: [
      { range: '<1.31', threshold: '100Mi' },
      { range: '>=1.31', threshold: '500Mi' },
    ],
    why: 'commit limit minus commit charge, so the page file counts',
  },
  {
    signal: 'nodefs.available',
    acts: { range: '*' },
    defaults: [{ range: '*', threshold: '10%' }],
  },
  {
    // The kubelet asks the CRI for the folder, and Windows for the space of its drive: getFsInfo in
    // https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/stats/cri_stats_provider.go
    signal: 'imagefs.available',
    acts: { range: '*' },
    defaults: [{ range: '*', threshold: '15%' }],
    why: 'of the drive of containerd’s root; on one drive with the kubelet it says what nodefs.available says',
  },
  {
    signal: 'containerfs.available',
    defaults: [],
    why: 'its threshold follows from the other two and cannot be set',
  },
  { signal: 'nodefs.inodesFree', defaults: [], why: 'NTFS has no inodes' },
  { signal: 'imagefs.inodesFree', defaults: [], why: 'NTFS has no inodes' },
  { signal: 'containerfs.inodesFree', defaults: [], why: 'NTFS has no inodes' },
  { signal: 'pid.available', defaults: [], why: 'Windows has no limit of process ids to watch' },
]

export function findEvictionSignal(signal: string): EvictionSignal | undefined {
  return evictionSignals.find((row) => row.signal === signal)
}
