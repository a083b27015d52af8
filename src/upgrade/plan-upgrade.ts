// The way of profiles to another Kubernetes version: the versions at which their nodes stop.
import { checkWithoutUpgrades, type Checked, type CheckInput } from '../check.ts'
import { compile, type Compiled } from '../compile.ts'
import { containerdOf, directUpgrades } from '../matrix/containerd.ts'
import { nextStops } from '../matrix/skew.ts'
import { isBehind, isOfLaterMinor, oldestFirst } from '../matrix/standing.ts'
import type { Finding } from '../model/finding.ts'
import type { JsonObject } from '../model/json.ts'
import { computedLayer } from '../model/layer.ts'
import { formatPath } from '../model/path.ts'
import { rules } from '../rules/index.ts'
import { changesFor, controlPlaneSteps, kubernetesPatches, withoutOldChecksums } from './changes.ts'

/** One upgrade of the nodes. */
export interface Hop {
  readonly to: string
  /** From 1: hops of profiles that are planned together, at the same time. */
  readonly round: number
  /** The versions that the control plane goes through first; none if it is new enough. */
  readonly controlPlane: readonly string[]
  /** The fields to set in the profile; `null` removes one. */
  readonly change: JsonObject
  readonly after: Compiled
  /** Untested combinations that the request accepts. */
  readonly accepted: readonly Finding[]
  /** The nodes have the version already; only the profile lacks it. */
  readonly isReached?: true
}

/** A version that a rule refuses for this profile, and why. */
export interface Refusal {
  /** Another profile, which shares a file with this one. */
  readonly of?: string
  readonly to: string
  /** The smallest change to the version, and the profile with it. */
  readonly change: JsonObject
  readonly after: Checked
  readonly findings: readonly Finding[]
}

export interface UpgradePlan {
  readonly before: Compiled
  readonly hops: readonly Hop[]
  /** Set if a rule ends the plan before the target. */
  readonly refused?: Refusal
  /** Set if older nodes end the plan before the target: their version. */
  readonly blockedBy?: string
}

export interface UpgradeRequest {
  /** MAJOR.MINOR.PATCH */
  readonly target: string
  readonly acceptUntested: boolean
}

interface Member {
  readonly name: string
  readonly profile: CheckInput
  /** Members of a group stop at the same versions, because they share a file. */
  readonly group: unknown
}

interface Way extends Member {
  readonly from: Compiled
  readonly hops: readonly Hop[]
}

/** Each hop goes as far as the skew of the kubelet and the rules allow. */
export function planUpgrade(profile: CheckInput, request: UpgradeRequest): UpgradePlan {
  const [plan] = planTogether([{ name: '', profile, group: 0 }], request)
  if (!plan) throw new Error('a profile has no plan')
  return plan
}

/** Plans profiles whose nodes have one control plane: it must not leave the skew of the oldest kubelet. */
export function planTogether(
  members: readonly Member[],
  request: UpgradeRequest,
): readonly UpgradePlan[] {
  const ways = members.map((member) => ({ ...member, from: compile(...member.profile), hops: [] }))
  return plansFrom(ways, request, 1).map((plan, at) => ({
    ...plan,
    before: ways[at]?.from ?? plan.before,
  }))
}

function plansFrom(
  ways: readonly Way[],
  request: UpgradeRequest,
  round: number,
): readonly UpgradePlan[] {
  const [oldest] = oldestFirst(ways.map(({ from }) => from.facts.spec.kubernetes.version))
  const alone = ways.map((way) => ({ way, next: nextHop(way, request, oldest) }))
  const refusals = new Map(
    alone.flatMap(({ way: { group, name }, next }) =>
      next && !isHop(next) ? [[group, { ...next, of: name }] as const] : [],
    ),
  )
  // A file is not written if one of its profiles is refused then.
  const found = alone.map(({ way, next }) => ({
    way,
    next: isHop(next) ? (refusals.get(way.group) ?? next) : next,
  }))
  const hops = found.map(({ way, next }) => {
    if (!isHop(next)) return undefined
    const group = found.flatMap((one) =>
      one.way.group === way.group && isHop(one.next) ? [one.next.to] : [],
    )
    const [first = next.to] = oldestFirst(group)
    return first === next.to ? next : shorterHop(first, way, request)
  })
  if (hops.some((hop) => hop)) {
    const moved = ways.map((way, at) => advanced(way, hops[at], round))
    return plansFrom(moved, request, round + 1)
  }
  return found.map(({ way: { from, hops: all }, next }) => ({
    before: from,
    hops: all,
    ...(next && !isHop(next) && { refused: next }),
    ...(!next && !isReached(from, request) && oldest !== undefined && { blockedBy: oldest }),
  }))
}

function isHop(result: Hop | Refusal | undefined): result is Hop {
  return result !== undefined && !('findings' in result)
}

/** To a version at which others of the group stop, if the nodes are older and no rule refuses it. */
function shorterHop(to: string, way: Way, request: UpgradeRequest): Hop | undefined {
  const { version } = way.from.facts.spec.kubernetes
  if (!isOfLaterMinor(to, version) && !isBehind(version, to)) return undefined
  const hop = hopTo(to, way, request)
  return isHop(hop) ? hop : undefined
}

function advanced(way: Way, hop: Hop | undefined, round: number): Way {
  if (!hop) return way
  const { profile, hops } = way
  return {
    ...way,
    profile: withChange(profile, hop.change),
    from: hop.after,
    hops: [...hops, { ...hop, round }],
  }
}

function isReached({ facts }: Compiled, { target }: UpgradeRequest): boolean {
  const { version } = facts.spec.kubernetes
  return version === target || isBehind(target, version)
}

/** `undefined` at the target, and until older nodes are upgraded. */
function nextHop(
  way: Way,
  request: UpgradeRequest,
  oldest: string | undefined,
): Hop | Refusal | undefined {
  const { from } = way
  const { version, apiServer } = from.facts.spec.kubernetes
  if (isReached(from, request)) return undefined
  const patches = kubernetesPatches(from.facts.added)
  const stops = nextStops(patches, request.target, { version, apiServer, oldest })
  if (stops.length === 0) return undefined
  let refused: Refusal | undefined
  for (const to of [...stops, ...patches.filter((patch) => isBehind(version, patch))]) {
    const result = hopTo(to, way, request)
    if (isHop(result)) return result
    // A step to the newest patch of the same minor is better than none, but it is not the requested one.
    if (stops.includes(to)) refused = result
  }
  return refused
}

/** The smallest change that no rule refuses; else why the smallest is refused. */
function hopTo(
  to: string,
  { from, profile }: Pick<Way, 'from' | 'profile'>,
  { acceptUntested }: UpgradeRequest,
): Hop | Refusal {
  const controlPlane = controlPlaneSteps(to, from.facts)
  let refused: Refusal | undefined
  for (const versions of changesFor(to, from)) {
    // Suggested versions would lead back.
    const checked = checkWithoutUpgrades(...withChange(profile, versions))
    const found = obstaclesIn(checked, from)
    const accepted = found.filter(({ severity }) => acceptUntested && severity !== 'error')
    const obstacles = found.filter((one) => !accepted.includes(one))
    if (obstacles.length === 0) {
      const change = withoutOldChecksums(versions, from.facts, checked.facts)
      const after = compile(...withChange(profile, change))
      return { to, round: 1, controlPlane, change, after, accepted }
    }
    refused ??= {
      to,
      change: versions,
      after: checked,
      findings: obstacles.map((one) => withContainerdFirst(one, from)),
    }
  }
  if (!refused) throw new Error(`no change of the profile leads to ${to}`)
  return refused
}

/** For a profile whose containerd takes more than one upgrade. */
function withContainerdFirst(finding: Finding, { facts, values }: Checked): Finding {
  const { version } = facts.spec.containerd
  const next = directUpgrades(version, facts.added).at(-1)
  const isSet = values.containerd.version !== undefined
  if (formatPath(finding.path) !== 'containerd.version' || !isSet || next === undefined)
    return finding
  const limit = `containerd supports no direct upgrade from ${facts.containerd.line} to a line after ${containerdOf(next, facts.added).row.line}`
  return {
    ...finding,
    remedy: `Set containerd.version to ${next} and upgrade the nodes first: ${limit}.`,
  }
}

const untested = new Set(rules.filter((rule) => rule.untested).map(({ id }) => id))

/** Errors and untested combinations; not that a field of the user's own is still missing, nor what another patch does not change. */
function obstaclesIn(after: Checked, before: Checked): readonly Finding[] {
  const isPatch = after.facts.kubernetes.minor === before.facts.kubernetes.minor
  const known = new Map(withBuiltInIgnored(before).map(({ id, message }) => [id, message]))
  return withBuiltInIgnored(after).filter(({ id, message, severity, asks }) =>
    severity === 'error'
      ? asks === undefined
      : untested.has(id) && !(isPatch ? known.has(id) : known.get(id) === message),
  )
}

/** With what a built-in profile ignores: its author has not accepted it for the nodes of others. */
function withBuiltInIgnored({ findings, ignored, origin }: Checked): readonly Finding[] {
  return [
    ...findings,
    ...ignored.flatMap(({ finding }) => (origin(['ignore', finding.id])?.builtIn ? [finding] : [])),
  ]
}

function withChange([layers, ...rest]: CheckInput, patch: JsonObject): CheckInput {
  return [[...layers, computedLayer('the upgrade', patch)], ...rest]
}
