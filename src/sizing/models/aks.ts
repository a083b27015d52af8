// Reservations on Azure AKS nodes.
import type { SizingModel, SizingRule } from '../model.ts'
import { memoryTiers } from '../tiers.ts'

const see = 'https://learn.microsoft.com/en-us/azure/aks/node-resource-reservations'
const checked = '2026-11-20'

/** The page lists values for some numbers of cores; these tiers match all of them. */
const cpu: SizingRule = {
  kind: 'tiers',
  tiers: [
    { upTo: 1000, percent: 6 },
    { upTo: 2000, percent: 4 },
    { upTo: 4000, percent: 2 },
    { percent: 1 },
  ],
}

export const aksModels: readonly SizingModel[] = [
  {
    id: 'aks',
    title: 'Azure AKS, from Kubernetes 1.29 on',
    kube: {
      cpu,
      memory: {
        kind: 'least',
        of: [
          { kind: 'perPod', base: 50, perPod: 20 },
          { kind: 'percent', base: 0, percent: 25 },
        ],
      },
      windowsMemory: 2048,
    },
    system: {},
    eviction: {
      windows: { 'memory.available': '100Mi' },
      linux: { 'memory.available': '100Mi' },
    },
    note: 'The page writes MB and GB; nodes carry MiB. What Windows itself needs is part of kube.',
    see,
    checked,
  },
  {
    id: 'aks-pre-1.29',
    title: 'Azure AKS, before Kubernetes 1.29',
    kube: { cpu, memory: { kind: 'tiers', tiers: memoryTiers }, windowsMemory: 2048 },
    system: {},
    eviction: {
      windows: { 'memory.available': '750Mi' },
      linux: { 'memory.available': '750Mi' },
    },
    note: 'What Windows itself needs is part of kube.',
    see,
    checked,
  },
]
