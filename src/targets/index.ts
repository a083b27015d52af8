// The targets by name, loaded on demand.
import type { Target } from './target.ts'

/** The bundle itself. */
export const plain = 'plain'

/** The bundle as it is, in an archive. */
export const zip = 'zip'

export const targets: Readonly<Record<string, () => Promise<Target>>> = {
  ansible: async () => (await import('./ansible.ts')).ansible,
  capi: async () => (await import('./capi.ts')).capi,
  packer: async () => (await import('./packer.ts')).packer,
  'single-file': async () => (await import('./single-file.ts')).singleFile,
  userdata: async () => (await import('./userdata.ts')).userdata,
  [zip]: async () => (await import('./zip.ts')).zip,
}

/** The id of findings about a profile that the target cannot use. */
export const refusalId = (target: string) => `unfit-for-${target}`

export const refusals = Object.keys(targets).map((name) => ({
  id: refusalId(name),
  summary: `the profile does not have what the target ${name} needs`,
}))

/** Values of `--for`. */
export const targetNames: readonly string[] = [plain, ...Object.keys(targets)]

/** Where the output of these targets has its bundles. */
export function bundleFolders(names: readonly string[]): readonly string[] {
  if (names.length === 1) return ['bundle/']
  return names.map((name) => (name === plain ? `${name}/` : `${name}/bundle/`))
}

/** Without duplicates, in the order of the table. */
export function targetsOf(named: readonly string[]): readonly string[] {
  return targetNames.filter((name) => named.includes(name))
}
