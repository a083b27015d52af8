// Plans the way of one profile to the target, from its own version or from those that a cluster runs.
import type { CheckInput } from '../../check.ts'
import { compile } from '../../compile.ts'
import { isBehind, isOfLaterMinor } from '../../matrix/standing.ts'
import { isPartial } from '../../matrix/version.ts'
import { errorsIn, type Finding } from '../../model/finding.ts'
import { planUpgrade, type UpgradePlan } from '../../upgrade/plan-upgrade.ts'
import {
  type Live,
  type Running,
  type RunningCluster,
  runningWith,
  startOf,
} from '../../upgrade/running.ts'
import { problemsOfFile, runCheck } from '../check-profile.ts'
import { checkWrite, isProfileFile } from '../edited-profile.ts'
import { Failure } from '../failure.ts'
import { type ProfileFiles, profileFiles } from './profile-files.ts'
import { factsFileHint, type TargetFlags } from './target.ts'

/** What the profiles of a command line have in common. */
export interface PlanRequest {
  readonly target: string
  readonly flags: TargetFlags & { readonly write: boolean; readonly 'accept-untested': boolean }
  /** What runs in the cluster, if the command line names one. */
  readonly cluster: RunningCluster | undefined
  /** Whether the command line can name several profiles. */
  readonly several: boolean
  /** The folder of the package. */
  readonly root: string
  /** YYYY-MM-DD. */
  readonly today: string
}

/** The way of a profile to the target. */
export interface ProfilePlan {
  readonly kind: 'planned'
  /** As a person typed it. */
  readonly profile: string
  /** Absent for a built-in profile. */
  readonly files: ProfileFiles | undefined
  readonly live: Live | undefined
  /** The profile; with the versions of the cluster, if there is one. */
  readonly start: CheckInput
  /** The version of the nodes. */
  readonly from: string
  readonly plan: UpgradePlan
  readonly findings: readonly Finding[]
}

/** A profile that cannot be read. */
export interface RejectedProfile {
  readonly kind: 'rejected'
  readonly profile: string
  readonly findings: readonly Finding[]
}

/** Without regard to other profiles. Throws if the target is older than what the nodes have. */
export function planProfile(profile: string, request: PlanRequest): ProfilePlan | RejectedProfile {
  const { target, flags, cluster, several, root } = request
  if (flags.write) checkWrite(flags, profile)
  const files = isProfileFile(profile)
    ? profileFiles(profile, { root, within: flags.root })
    : undefined
  const planFrom = (...input: CheckInput) => {
    const live = cluster && liveOf(cluster, input, several)
    const start = live ? startOf(live) : input
    const plan = planUpgrade(start, { target, acceptUntested: flags['accept-untested'] })
    return { ...plan.before, plan, live, start }
  }
  const { plan, live, start, findings } = runCheck(planFrom, profile, flags, request)
  const unread = problemsOfFile(findings, plan.before.findings)
  if (unread.length > 0) return { kind: 'rejected', profile, findings: unread }
  const from = plan.before.facts.spec.kubernetes.version
  const asksForPatch = flags.to !== undefined && !isPartial(flags.to)
  if (isOfLaterMinor(from, target) || (asksForPatch && isBehind(target, from))) {
    // A version that cannot be read is replaced by the default, which may be newer.
    const misread = errorsIn(findings).filter(({ path }) => path.join('.') === 'kubernetes.version')
    if (misread.length > 0) return { kind: 'rejected', profile, findings: misread }
    const subject = live ? 'a node' : 'the profile'
    throw new Failure('usage', `${subject} has Kubernetes ${from}, which is newer than ${target}`, [
      flags.latest && !flags.facts && plan.before.facts.added
        ? factsFileHint
        : 'to go back: docs/upgrade-a-fleet.md, section "Roll back"',
    ])
  }
  return { kind: 'planned', profile, files, live, start, from, plan, findings }
}

function liveOf(cluster: RunningCluster, input: CheckInput, several: boolean): Live {
  const own = compile(...input)
  return { own, input, running: runningOf(cluster, own.facts.spec.kubelet.labels, several) }
}

/** Of several profiles, each has the nodes with its labels; of one, all that --selector leaves. */
function runningOf(
  cluster: RunningCluster,
  labels: Readonly<Record<string, string>>,
  several: boolean,
): Running {
  const own = several ? labels : {}
  const words = Object.entries(own).map(([key, value]) => `${key}=${value}`)
  if (several && words.length === 0)
    throw new Failure(
      'usage',
      'the profile sets no kubelet.labels, which distinguish its nodes from others',
      ['set kubelet.labels, or run winnode upgrade for this profile alone, with --selector'],
    )
  const running = runningWith(cluster, own)
  if (!running)
    throw new Failure('usage', `the cluster has no Windows nodes with ${words.join(',')}`)
  return running
}
