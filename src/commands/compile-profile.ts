// A profile as the command line names it, compiled, with the place of every finding.
import { compile, type Compiled } from '../compile.ts'
import { judgedWith, type JudgedProfile, type Place, rejects } from './check-profile.ts'
import type { ProfileFlags } from './profile-flags.ts'

export type CompiledProfile = Compiled & JudgedProfile

/** As `checkProfile`, with the plan. */
export function compileProfile(
  profile: string,
  flags: ProfileFlags,
  place: Place,
): CompiledProfile {
  const compiled = judgedWith(compile, profile, flags, place)
  return { ...compiled, plan: rejects(compiled.findings) ? undefined : compiled.plan }
}
