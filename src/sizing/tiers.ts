// CPU and memory tiers that several models share.
import type { SizingRule, Tier } from './model.ts'

/** Millicores: 6 % of the first core, 1 % of the second, 0.5 % of the next two, 0.25 % of the rest. */
export const cpuTiers: readonly Tier[] = [
  { upTo: 1000, percent: 6 },
  { upTo: 2000, percent: 1 },
  { upTo: 4000, percent: 0.5 },
  { percent: 0.25 },
]

/** MiB: 25 % of 4 GiB, 20 % of the next 4, 10 % of the next 8, 6 % up to 128, 2 % above. */
export const memoryTiers: readonly Tier[] = [
  { upTo: 4096, percent: 25 },
  { upTo: 8192, percent: 20 },
  { upTo: 16384, percent: 10 },
  { upTo: 131072, percent: 6 },
  { percent: 2 },
]

export const gkeMemory: SizingRule = {
  kind: 'tiers',
  tiers: memoryTiers,
  floor: { under: 1024, amount: 255 },
}
