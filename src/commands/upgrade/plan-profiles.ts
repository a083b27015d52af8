// Plans the profiles of a command line; those that share a file, or a cluster, are planned together.
import { staticFiles } from '../../io/static-files.ts'
import type { JsonObject } from '../../model/json.ts'
import {
  type Hop,
  planTogether,
  type Refusal,
  type UpgradePlan,
} from '../../upgrade/plan-upgrade.ts'
import { changeOfProfile, type Live, withCatchUp } from '../../upgrade/running.ts'
import {
  planProfile,
  type PlanRequest,
  type ProfilePlan,
  type RejectedProfile,
} from './plan-profile.ts'
import { stepsOf, type UpgradeStep } from './steps.ts'
import {
  filesOf,
  groupsOf,
  othersBeside,
  type ProfileChange,
  type WriteRequest,
} from './write-step.ts'

export type ProfileResult = PlannedProfile | RejectedProfile | FailedProfile

export interface PlannedProfile extends ProfilePlan {
  readonly steps: readonly UpgradeStep[]
  /** This profile and those that share a file with it: one command writes their steps. */
  readonly together: readonly string[]
}

interface FailedProfile {
  readonly kind: 'failed'
  readonly profile: string
  readonly thrown: unknown
}

/** One result for each given profile. */
export async function planProfiles(
  request: PlanRequest & WriteRequest,
): Promise<readonly ProfileResult[]> {
  const { given, several } = request
  const planAlone = (profile: string) => attempt(profile, () => planProfile(profile, request))
  const own = await Promise.all(given.map(planAlone))
  // Of several profiles each would read the whole root folder again.
  const beside = several ? [] : await othersBeside(firstChanges(own), request)
  const others = await Promise.all(beside.map(planAlone))
  const plans = [...own, ...others].filter((one) => one.kind === 'planned')
  const groups = groupsOf(plans, (one) => firstChanges([one]).flatMap(filesOf))
  const joint = jointPlans(plans, groups, request)
  return Promise.all(
    own.map(async (result) => {
      if (result.kind !== 'planned') return result
      const { profile } = result
      const group = groups.find((one) => one.includes(result)) ?? []
      const together = several ? group.map((one) => one.profile) : [profile, ...beside]
      const plan = joint.get(profile) ?? result.plan
      return attempt(profile, () => withSteps({ ...result, plan, together }, request))
    }),
  )
}

async function withSteps<T extends ProfilePlan>(
  planned: T,
  { target, root }: PlanRequest,
): Promise<T & Pick<PlannedProfile, 'steps'>> {
  const { files, live } = planned
  const plan = live ? withCatchUp(planned.plan, live, target) : planned.plan
  const steps = await stepsOf(plan, files, (hop) => changeOf(hop, live), staticFiles(root))
  return { ...planned, plan, steps }
}

/** A failure of one profile stops no other. */
async function attempt<T>(profile: string, work: () => T | Promise<T>): Promise<T | FailedProfile> {
  try {
    return await work()
  } catch (thrown) {
    return { kind: 'failed', profile, thrown }
  }
}

/** A profile that is refused holds those that share its file. */
function firstChanges(
  results: readonly (ProfilePlan | RejectedProfile | FailedProfile)[],
): readonly ProfileChange[] {
  return results.flatMap((result) => {
    if (result.kind !== 'planned') return []
    const { profile, files, live, plan } = result
    const first = plan.hops[0] ?? plan.refused
    return files && first ? [{ profile, files, change: changeOf(first, live) }] : []
  })
}

function changeOf(hop: Hop | Refusal, live: Live | undefined): JsonObject {
  return live ? changeOfProfile(hop, live.own.values) : hop.change
}

/** By profile; a profile alone keeps its own plan. */
function jointPlans(
  plans: readonly ProfilePlan[],
  groups: readonly (readonly ProfilePlan[])[],
  { cluster, target, flags }: PlanRequest,
): ReadonlyMap<string, UpgradePlan> {
  const request = { target, acceptUntested: flags['accept-untested'] }
  const sets = cluster ? [plans] : groups
  const joint = sets.flatMap((set) => {
    if (set.length === 1) return []
    const members = set.map((one) => ({
      name: one.profile,
      profile: one.start,
      group: groups.find((group) => group.includes(one)),
    }))
    const planned = planTogether(members, request)
    return set.map(({ profile, plan }, at) => [profile, planned[at] ?? plan] as const)
  })
  return new Map(joint)
}
