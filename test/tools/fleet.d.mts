// What fleet.mjs gives to tests in TypeScript; the benchmark takes it as it is.

/** Reports where there are `lines` of logs, else snapshots. */
export function writeFleet(
  bundle: string,
  folder: string,
  fleet: { readonly nodes: number; readonly lines?: number; readonly worst?: boolean },
): number
