/** Imports modules of `src` by name, with `minors` as `#minors`. */
export function bundleSource(
  root: string,
  folder: string,
  entryPoints: Readonly<Record<string, string>>,
  minors: string,
): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>>
