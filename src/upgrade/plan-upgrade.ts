// The way of a profile to another Kubernetes version: the versions at which its nodes stop.
import { checkWithoutUpgrades, type Checked, type CheckInput } from '../check.ts'
import { compile, type Compiled } from '../compile.ts'
import { containerdOf, directUpgrades } from '../matrix/containerd.ts'
import { nextStops } from '../matrix/skew.ts'
import { isBehind } from '../matrix/standing.ts'
import type { Finding } from '../model/finding.ts'
import type { JsonObject } from '../model/json.ts'
import { computedLayer } from '../model/layer.ts'
import { formatPath } from '../model/path.ts'
import { rules } from '../rules/index.ts'
import { changesFor, controlPlaneSteps, kubernetesPatches, withoutOldChecksums } from './changes.ts'

/** One upgrade of the nodes. */
export interface Hop {
  readonly to: string
  /** The versions that the control plane goes through first; none if it is new enough. */
  readonly controlPlane: readonly string[]
  /** The fields to set in the profile; `null` removes one. */
  readonly change: JsonObject
  readonly after: Compiled
  /** Untested combinations that the request accepts. */
  readonly accepted: readonly Finding[]
}

/** A version that a rule refuses for this profile, and why. */
export interface Refusal {
  readonly to: string
  readonly findings: readonly Finding[]
}

export interface UpgradePlan {
  readonly before: Compiled
  readonly hops: readonly Hop[]
  /** Set if the plan ends before the target. */
  readonly refused?: Refusal
}

export interface UpgradeRequest {
  /** MAJOR.MINOR.PATCH */
  readonly target: string
  readonly acceptUntested: boolean
}

/** Each hop goes as far as the skew of the kubelet and the rules allow. */
export function planUpgrade(profile: CheckInput, request: UpgradeRequest): UpgradePlan {
  const before = compile(...profile)
  return { before, ...hopsFrom(before, profile, request) }
}

function hopsFrom(
  from: Compiled,
  profile: CheckInput,
  request: UpgradeRequest,
): Omit<UpgradePlan, 'before'> {
  const { version, apiServer } = from.facts.spec.kubernetes
  if (version === request.target || isBehind(request.target, version)) return { hops: [] }
  const patches = kubernetesPatches(from.facts.added)
  const stops = nextStops(patches, request.target, { version, apiServer })
  let refused: Refusal | undefined
  for (const to of [...stops, ...patches.filter((patch) => isBehind(version, patch))]) {
    const result = hopTo(to, from, profile, request)
    if ('after' in result) {
      const rest = hopsFrom(result.after, withChange(profile, result.change), request)
      return { ...rest, hops: [result, ...rest.hops] }
    }
    // A step to the newest patch of the same minor is better than none, but it is not the requested one.
    if (stops.includes(to)) refused = result
  }
  return { hops: [], ...(refused && { refused }) }
}

/** The smallest change that no rule refuses; else why the smallest is refused. */
function hopTo(
  to: string,
  from: Compiled,
  profile: CheckInput,
  { acceptUntested }: UpgradeRequest,
): Hop | Refusal {
  const controlPlane = controlPlaneSteps(to, from.facts)
  let refused: Refusal | undefined
  for (const versions of changesFor(to, from)) {
    // Suggested versions would lead back.
    const after = checkWithoutUpgrades(...withChange(profile, versions))
    const found = obstaclesIn(after, from)
    const accepted = found.filter(({ severity }) => acceptUntested && severity !== 'error')
    const obstacles = found.filter((one) => !accepted.includes(one))
    if (obstacles.length === 0) {
      const change = withoutOldChecksums(versions, from.facts, after.facts)
      return { to, controlPlane, change, after: compile(...withChange(profile, change)), accepted }
    }
    refused ??= { to, findings: obstacles.map((one) => withContainerdFirst(one, from)) }
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
