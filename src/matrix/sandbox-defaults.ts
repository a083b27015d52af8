// The sandbox image that containerd uses when its configuration names none.
import type { Ranged, Sourced } from '../model/rows.ts'
import { inRange } from './version.ts'

const see = 'https://github.com/containerd/containerd/blob/main/internal/cri/config/config.go'
const checked = '2026-11-20'

export const sandboxDefaults: readonly (Ranged & Sourced & { readonly image: string })[] = [
  { range: '>=1.4 <1.5', image: 'mcr.microsoft.com/oss/kubernetes/pause:1.4.0', see, checked },
  { range: '>=1.5 <1.5.14', image: 'k8s.gcr.io/pause:3.5', see, checked },
  { range: '>=1.5.14 <1.6', image: 'registry.k8s.io/pause:3.5', see, checked },
  { range: '>=1.6 <1.6.9', image: 'k8s.gcr.io/pause:3.6', see, checked },
  { range: '>=1.6.9 <1.7', image: 'registry.k8s.io/pause:3.6', see, checked },
  { range: '>=1.7 <2', image: 'registry.k8s.io/pause:3.8', see, checked },
  { range: '>=2 <2.2', image: 'registry.k8s.io/pause:3.10', see, checked },
  { range: '>=2.2 <2.3', image: 'registry.k8s.io/pause:3.10.1', see, checked },
  { range: '>=2.3', image: 'registry.k8s.io/pause:3.10.2', see, checked },
]

export function sandboxDefaultOf(containerd: string): string | undefined {
  return sandboxDefaults.find((row) => inRange(containerd, row.range))?.image
}
