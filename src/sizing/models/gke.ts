// Reservations on Google GKE nodes.
import type { EvictionDefaults, SizingModel } from '../model.ts'
import { cpuTiers, gkeMemory } from '../tiers.ts'

const checked = '2026-11-20'
const see = 'https://cloud.google.com/kubernetes-engine/docs/concepts/plan-node-sizes'
const eviction: EvictionDefaults = {
  windows: { 'memory.available': '100Mi' },
  linux: { 'memory.available': '100Mi' },
}

export const gkeModels: readonly SizingModel[] = [
  {
    id: 'gke',
    title: 'Google GKE, Linux nodes',
    kube: { cpu: { kind: 'tiers', tiers: cpuTiers }, memory: gkeMemory },
    system: {},
    eviction,
    note: 'Made for Linux nodes; machines with shared cores keep 1060 millicores instead.',
    see,
    checked,
  },
  {
    id: 'gke-windows-approx',
    title: 'Google GKE, Windows nodes',
    kube: {
      cpu: { kind: 'scale', factor: 1.5, of: { kind: 'tiers', tiers: cpuTiers } },
      memory: { kind: 'scale', factor: 1.5, of: gkeMemory },
    },
    system: {},
    eviction: { ...eviction, linux: {} },
    note: 'Google says about 1.5 times the Linux amounts, and no more than that.',
    approximate: true,
    see: 'https://cloud.google.com/kubernetes-engine/docs/concepts/cluster-architecture',
    checked,
  },
  {
    id: 'gke-onprem',
    title: 'Google Distributed Cloud on VMware',
    kube: {
      cpu: { kind: 'percent', base: 80, percent: 1 },
      memory: { kind: 'percent', base: 330, percent: 5 },
    },
    system: {},
    eviction,
    note: 'The page does not say how the amount is split; all of it is counted as kube.',
    see: 'https://cloud.google.com/anthos/clusters/docs/on-prem/1.16/how-to/resources-available-pods',
    checked,
  },
]
