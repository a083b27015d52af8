// The version that an upgrade leads to.
import { loadProfile } from '../../io/profiles.ts'
import { kubernetesOf, minorsWith } from '../../matrix/kubernetes.ts'
import { newestKubernetes } from '../../matrix/newest.ts'
import { isPartial, parseVersion } from '../../matrix/version.ts'
import { Failure } from '../failure.ts'
import type { ProfileFlags } from '../profile-flags.ts'

export interface TargetFlags extends ProfileFlags {
  readonly to?: string | undefined
  readonly latest: boolean
}

/** The target is the same for all profiles, so the facts of a profile do not count. */
export const factsFileHint =
  'a version of a facts file needs --facts FILE, also if the profile names the file'

/** MAJOR.MINOR.PATCH. `root` is the folder of the package. */
export function targetOf(flags: TargetFlags, profiles: readonly string[], root: string): string {
  const { to, latest, facts, 'allow-newer': allowNewer } = flags
  if (latest) return newestKubernetes(facts).newestPatch
  if (to === undefined) throw new Failure('usage', '--to VERSION or --latest is missing')
  const version = parseVersion(to)
  if (!version)
    throw new Failure('usage', `--to ${to} is not a version`, [
      'write it as 1.37 or 1.37.1; --latest is the newest supported version',
    ])
  const { row, exact } = kubernetesOf(version.text, facts)
  if (exact) return isPartial(to) ? row.newestPatch : version.text
  if (allowNewer) return version.text
  const minors = minorsWith(facts)
  throw new Failure(
    'usage',
    `--to ${to}: winnode knows Kubernetes ${minors[0].minor} to ${minors.at(-1)?.minor}`,
    facts === undefined && nameFactsFile(profiles, flags, root) ? [factsFileHint] : [],
  )
}

function nameFactsFile(
  profiles: readonly string[],
  { layer: layers = [], root: within }: ProfileFlags,
  root: string,
): boolean {
  const folders = { root, cwd: process.cwd(), within }
  return profiles.some((profile) => loadProfile({ profile, layers, ...folders }).facts)
}
