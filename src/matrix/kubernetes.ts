// Kubernetes minors: one row each, with the newest patch that any source names.
import type { KubernetesMinor } from '../model/rows.ts'
import { nearestRow, type Nearest } from './nearest.ts'
import { inRange } from './version.ts'

const checked = '2026-11-20'
const past = 'https://kubernetes.io/releases/patch-releases/'

/** Oldest first. */
export const kubernetesMinors: readonly [KubernetesMinor, ...KubernetesMinor[]] = [
  {
    minor: '1.25',
    released: '2022-08-23',
    maintenance: '2023-08-27',
    endOfLife: '2023-10-27',
    newestPatch: '1.25.16',
    containerd: '>=1.6.4',
    sandboxTag: '3.8',
    see: past,
    checked,
  },
  {
    minor: '1.26',
    released: '2022-12-08',
    maintenance: '2023-12-28',
    endOfLife: '2024-02-28',
    newestPatch: '1.26.15',
    containerd: '>=1.6.15',
    sandboxTag: '3.9',
    see: past,
    checked,
  },
  {
    minor: '1.27',
    released: '2023-04-11',
    maintenance: '2024-04-28',
    endOfLife: '2024-06-28',
    newestPatch: '1.27.16',
    containerd: '>=1.6.15',
    sandboxTag: '3.9',
    see: past,
    checked,
  },
  {
    minor: '1.28',
    released: '2023-08-15',
    maintenance: '2024-08-28',
    endOfLife: '2024-10-28',
    newestPatch: '1.28.15',
    containerd: '>=1.6.15',
    sandboxTag: '3.9',
    see: past,
    checked,
  },
  {
    minor: '1.29',
    released: '2023-12-13',
    maintenance: '2024-12-28',
    endOfLife: '2025-02-28',
    newestPatch: '1.29.15',
    containerd: '>=1.6.27 <1.7 || >=1.7.11',
    sandboxTag: '3.9',
    see: past,
    checked,
  },
  {
    minor: '1.30',
    released: '2024-04-17',
    maintenance: '2025-04-28',
    endOfLife: '2025-07-15',
    newestPatch: '1.30.14',
    containerd: '>=1.6.28 <1.7 || >=1.7.13',
    sandboxTag: '3.9',
    see: past,
    checked,
  },
  {
    minor: '1.31',
    released: '2024-08-13',
    maintenance: '2025-08-28',
    endOfLife: '2025-11-11',
    newestPatch: '1.31.14',
    containerd: '>=1.6.34 <1.7 || >=1.7.20',
    sandboxTag: '3.10',
    see: past,
    checked,
  },
  {
    minor: '1.32',
    released: '2024-12-11',
    maintenance: '2025-12-28',
    endOfLife: '2026-02-28',
    newestPatch: '1.32.13',
    containerd: '>=1.6.36 <1.7 || >=1.7.24 <2 || >=2.0.1',
    sandboxTag: '3.10',
    see: past,
    checked,
  },
  {
    minor: '1.33',
    released: '2025-04-23',
    maintenance: '2026-04-28',
    endOfLife: '2026-06-28',
    newestPatch: '1.33.13',
    containerd: '>=1.6.36 <1.7 || >=1.7.24 <2 || >=2.0.4',
    sandboxTag: '3.10',
    see: past,
    checked,
  },
  {
    minor: '1.34',
    released: '2025-08-27',
    maintenance: '2026-08-27',
    endOfLife: '2026-10-27',
    newestPatch: '1.34.13',
    containerd: '>=1.6.39 <1.7 || >=1.7.28 <2 || >=2.0.6 <2.1 || >=2.1.3',
    sandboxTag: '3.10.1',
    see: past,
    checked: '2026-11-23',
    note: 'the newest patch, the last of its line, is that of the Go module k8s.io/api v0.34.13',
  },
  {
    minor: '1.35',
    released: '2025-12-17',
    maintenance: '2026-12-28',
    endOfLife: '2027-02-28',
    newestPatch: '1.35.10',
    containerd: '>=1.7.28 <2 || >=2.1.5',
    sandboxTag: '3.10.1',
    see: 'https://kubernetes.io/releases/1.35/',
    checked: '2026-11-23',
    note: 'the newest patch is that of the Go module k8s.io/api v0.35.10',
  },
  {
    minor: '1.36',
    released: '2026-04-22',
    maintenance: '2027-04-28',
    endOfLife: '2027-06-28',
    newestPatch: '1.36.6',
    containerd: '>=2.2',
    sandboxTag: '3.10.2',
    see: 'https://kubernetes.io/releases/1.36/',
    checked: '2026-11-23',
    note: 'the newest patch is that of the Go module k8s.io/api v0.36.6',
  },
  {
    minor: '1.37',
    released: '2026-08-26',
    maintenance: '2027-08-28',
    endOfLife: '2027-10-28',
    newestPatch: '1.37.2',
    containerd: '>=2.3',
    sandboxTag: '3.10.2',
    see: 'https://kubernetes.io/releases/1.37/',
    checked: '2026-11-23',
    note: 'the newest patch is that of the Go module k8s.io/api v0.37.2; the range of containerd and the sandbox tag are inferred from 1.36 and the release dates',
  },
]

/** The minor of a version such as 1.36.5 or 1.36; the nearest older one where the tables lack it. */
export function kubernetesOf(version: string): Nearest<KubernetesMinor> {
  return nearestRow(kubernetesMinors, (row) => row.minor, version)
}

/** Whether upstream tested the minor with that containerd. */
export function isTestedWith(row: KubernetesMinor, containerd: string): boolean {
  return inRange(containerd, row.containerd)
}
