// The minimum reservation for Windows nodes in the Kubernetes documentation.
import type { SizingModel } from '../model.ts'

export const upstreamMinimum: SizingModel = {
  id: 'sig-windows-minimum',
  title: 'Kubernetes documentation for Windows',
  kube: {},
  system: { memory: { kind: 'constant', amount: 2048 } },
  eviction: {
    windows: {
      'memory.available': '500Mi',
      'nodefs.available': '10%',
      'imagefs.available': '15%',
    },
    linux: {
      'memory.available': '100Mi',
      'nodefs.available': '10%',
      'nodefs.inodesFree': '5%',
      'imagefs.available': '15%',
    },
  },
  note: 'A lower bound, whatever the size; it names no CPU.',
  see: 'https://kubernetes.io/docs/concepts/configuration/windows-resource-management/#resource-reservation',
  checked: '2026-11-20',
}
