// As check-profile.ts, with the plan of an accepted profile.
import { compile, type Compiled } from '../compile.ts'
import { hasErrors } from '../model/finding.ts'
import { runCheck, type CheckedProfile, type CheckContext } from './check-profile.ts'
import type { ProfileFlags } from './profile-flags.ts'

export type CompiledProfile = Compiled & CheckedProfile

/** `plan` is `undefined` where reading or checking found an error. */
export function compileProfile(
  profile: string,
  flags: ProfileFlags,
  context: CheckContext,
): CompiledProfile {
  const compiled = runCheck(compile, profile, flags, context)
  return { ...compiled, plan: hasErrors(compiled.findings) ? undefined : compiled.plan }
}
