// The default model: per-pod memory as on EKS, on top of the minimum that Kubernetes documents for Windows.
import type { SizingModel } from '../model.ts'
import { cpuTiers } from '../tiers.ts'

export const winnodeModel: SizingModel = {
  id: 'winnode',
  title: 'winnode',
  kube: {
    cpu: { kind: 'tiers', tiers: cpuTiers },
    memory: { kind: 'perPod', base: 255, perPod: 11 },
    ephemeralStorage: 1024,
  },
  system: {
    cpu: { kind: 'steps', steps: [{ upTo: 4000, amount: 200 }], above: 500 },
    memory: { kind: 'constant', amount: 2048 },
    ephemeralStorage: 1024,
  },
  eviction: {
    windows: { 'memory.available': '500Mi', 'nodefs.available': '10%' },
    linux: { 'memory.available': '100Mi', 'nodefs.available': '10%' },
  },
  note: 'Keep more where Defender, backup or monitoring agents run: no upstream measures them.',
  see: 'https://kubernetes.io/docs/concepts/configuration/windows-resource-management/#resource-reservation',
  checked: '2026-11-20',
}

/** Why this model is the default; shown below the comparison of all models. */
export const whyDefault =
  'Kubernetes asks for 2Gi for Windows itself; winnode keeps that, and for the kubelet and containerd what Amazon (memory) and Google (CPU) keep. Nobody publishes a model for Windows nodes of any kind.'
