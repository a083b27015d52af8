/** Modules of `src` by name, imported, with the tables of `minors`. */
export function bundleSource(
  root: string,
  folder: string,
  entryPoints: Readonly<Record<string, string>>,
  minors: string,
): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>>
