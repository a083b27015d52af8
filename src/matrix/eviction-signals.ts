// Eviction signals: which of them a Windows kubelet observes.
import tables from '#tables'
import type { EvictionSignal } from '../model/tables.ts'

export const evictionSignals = tables['eviction-signals'].signals

export function findEvictionSignal(signal: string): EvictionSignal | undefined {
  return evictionSignals.find((row) => row.signal === signal)
}
