// Types of fleet.mjs, which is JavaScript because the benchmark imports it without a build.

/** Writes node reports with `lines` of logs, or snapshots without; returns their size in characters. */
export function writeFleet(
  bundle: string,
  folder: string,
  fleet: { readonly nodes: number; readonly lines?: number; readonly worst?: boolean },
): number
