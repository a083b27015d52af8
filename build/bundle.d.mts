/** Imports modules of `src` by name; `alias` are generated modules that it bundles, by name. */
export function bundleSource(
  root: string,
  folder: string,
  entryPoints: Readonly<Record<string, string>>,
  alias?: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>>
