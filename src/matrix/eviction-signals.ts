// Eviction signals: which of them a Windows kubelet observes.
// https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/#eviction-signals

export interface EvictionSignal {
  readonly signal: string
  /** Whether a kubelet on Windows acts on it; on memory some only subtract it, as a trait says. */
  readonly acts: boolean
  readonly why?: string
}

export const evictionSignals: readonly EvictionSignal[] = [
  {
    signal: 'memory.available',
    acts: true,
    why: 'commit limit minus commit charge, so the page file counts',
  },
  {
    signal: 'nodefs.available',
    acts: true,
  },
  {
    // The kubelet asks the CRI for the folder, and Windows for the space of its drive: getFsInfo in
    // https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/stats/cri_stats_provider.go
    signal: 'imagefs.available',
    acts: true,
    why: 'of the drive of containerd’s root; on one drive with the kubelet it says what nodefs.available says',
  },
  {
    signal: 'containerfs.available',
    acts: false,
    why: 'its threshold follows from the other two and cannot be set',
  },
  { signal: 'nodefs.inodesFree', acts: false, why: 'NTFS has no inodes' },
  { signal: 'imagefs.inodesFree', acts: false, why: 'NTFS has no inodes' },
  { signal: 'containerfs.inodesFree', acts: false, why: 'NTFS has no inodes' },
  { signal: 'pid.available', acts: false, why: 'Windows has no limit of process ids to watch' },
]

export function findEvictionSignal(signal: string): EvictionSignal | undefined {
  return evictionSignals.find((row) => row.signal === signal)
}
