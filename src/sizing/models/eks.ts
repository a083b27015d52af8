// Reservations by Amazon’s EKS formula, and by its guide for Windows nodes.
import type { SizingModel } from '../model.ts'
import { cpuTiers } from '../tiers.ts'

const checked = '2026-11-20'

export const eksModels: readonly SizingModel[] = [
  {
    id: 'eks',
    title: 'Amazon EKS formula',
    kube: {
      cpu: { kind: 'tiers', tiers: cpuTiers, roundEach: true },
      memory: { kind: 'perPod', base: 255, perPod: 11 },
      ephemeralStorage: 1024,
    },
    system: {},
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
      },
      windowsBefore131: {
        'memory.available': '100Mi',
        'nodefs.available': '10%',
        'imagefs.available': '15%',
      },
    },
    note: 'Amazon’s own Windows image leaves all of it out; Karpenter plans with it.',
    see: 'https://github.com/awslabs/amazon-eks-ami/blob/main/nodeadm/internal/kubelet/config.go',
    checked,
  },
  {
    id: 'eks-windows-guide',
    title: 'Amazon EKS guide for Windows nodes',
    kube: { memory: { kind: 'constant', amount: 512 }, ephemeralStorage: 1024 },
    system: { memory: { kind: 'constant', amount: 1536 }, ephemeralStorage: 1024 },
    eviction: { windows: { 'memory.available': '200Mi', 'nodefs.available': '10%' }, linux: {} },
    note: 'The same amounts for every size; it names no CPU.',
    see: 'https://github.com/aws/aws-eks-best-practices/blob/12fc4cd/content/windows/docs/oom.md',
    checked,
  },
]
