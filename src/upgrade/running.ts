// The versions that a cluster runs, as the start of an upgrade, and where the profile differs from them.
import type { Checked, CheckInput } from '../check.ts'
import { compile, type Compiled } from '../compile.ts'
import {
  isOfLaterMinor,
  isOfSameMinor,
  minorBefore,
  oldestFirst,
  writtenLike,
} from '../matrix/standing.ts'
import { isObject, type JsonObject } from '../model/json.ts'
import { computedLayer } from '../model/layer.ts'
import { changesFor, tablePatches, withoutOldChecksums } from './changes.ts'
import type { Hop, Refusal, UpgradePlan } from './plan-upgrade.ts'

type Values = Checked['values']

export interface Running {
  readonly apiServer: string
  /** Names of Windows nodes by kubelet version, the oldest first. */
  readonly nodes: ReadonlyMap<string, readonly string[]>
  /** Of DaemonSets for Windows nodes, by name with namespace; without one, it runs as a service and is unknown. */
  readonly kubeProxies: ReadonlyMap<string, string>
}

/** A profile, and what runs of it. */
export interface Live {
  /** Without the versions of the cluster, as its input. */
  readonly own: Compiled
  readonly input: CheckInput
  readonly running: Running
}

/** Before the labels select the nodes of a profile. */
export interface RunningCluster extends Pick<Running, 'apiServer' | 'kubeProxies'> {
  readonly machines: readonly {
    readonly name: string
    readonly version: string
    readonly labels: Readonly<Record<string, string>>
  }[]
}

/** Only the nodes that have these labels; none if no node has them. */
export function runningWith(
  { apiServer, kubeProxies, machines }: RunningCluster,
  labels: Readonly<Record<string, string>>,
): Running | undefined {
  const own = machines.filter((one) =>
    Object.entries(labels).every(([key, value]) => one.labels[key] === value),
  )
  const versions = oldestFirst([...new Set(own.map(({ version }) => version))])
  const nodes = versions.map(
    (version) =>
      [version, own.filter((one) => one.version === version).map(({ name }) => name)] as const,
  )
  return own.length === 0 ? undefined : { apiServer, kubeProxies, nodes: new Map(nodes) }
}

/** The profile with the versions of its oldest nodes: the skew of their kubelet limits the control plane. */
export function startOf({
  input: [layers, ...rest],
  running,
}: Pick<Live, 'input' | 'running'>): CheckInput {
  const { apiServer, nodes } = running
  const [version = apiServer] = nodes.keys()
  return [
    [...layers, computedLayer('the cluster', { kubernetes: { version, apiServer } })],
    ...rest,
  ]
}

/** A first step that changes the profile only: its nodes have the version already. */
export function withCatchUp(
  plan: UpgradePlan,
  { own, input: [layers, ...rest], running }: Live,
  target: string,
): UpgradePlan {
  const { version: to } = plan.before.facts.spec.kubernetes
  const { version } = own.facts.spec.kubernetes
  const isWanted = to === target ? version !== to : !isOfSameMinor(version, to)
  if (!isWanted || plan.refused || plan.hops.some(({ round }) => round === 1)) return plan
  const [versions = {}] = changesFor(to, own)
  const compiled = (change: JsonObject) =>
    compile(
      ...startOf({ running, input: [[...layers, computedLayer('the upgrade', change)], ...rest] }),
    )
  const change = withoutOldChecksums(versions, own.facts, compiled(versions).facts)
  const hop = { to, round: 1, controlPlane: [], change, after: compiled(change), accepted: [] }
  return { ...plan, before: own, hops: [{ ...hop, isReached: true }, ...plan.hops] }
}

/** The change of a profile, as its author writes versions; that of the API server only where the profile needs it. */
export function changeOfProfile(
  { to, change, after }: Hop | Refusal,
  { kubernetes: own }: Values,
): JsonObject {
  const { apiServer } = after.facts.spec.kubernetes
  const like = (before: string | undefined, version: string) =>
    writtenLike(before ?? minorBefore(version), version, tablePatches)
  const needed = own.apiServer !== undefined || !isOfSameMinor(apiServer, to)
  const moved = isObject(change['kubernetes']) ? change['kubernetes'] : {}
  const others = Object.entries(moved).filter(([name]) => name !== 'apiServer')
  return {
    ...change,
    kubernetes: {
      ...Object.fromEntries(others),
      ...(needed && { apiServer: like(own.apiServer, apiServer) }),
      version: like(own.version, to),
    },
  }
}

/** What runs, and where the profile says something else. */
export function runningLines(
  { apiServer, nodes, kubeProxies }: Running,
  profile: { readonly version: string; readonly apiServer: string },
): readonly string[] {
  const standing = isOfSameMinor(apiServer, profile.apiServer)
    ? ''
    : `, ${isOfLaterMinor(apiServer, profile.apiServer) ? 'ahead of' : 'behind'} the profile (${profile.apiServer})`
  return [
    `the control plane has ${apiServer}${standing}`,
    ...[...nodes].map(([version, names]) => {
      const differs = version === profile.version ? '' : `; the profile has ${profile.version}`
      const more = names.length > 3 ? ` and ${names.length - 3} more` : ''
      return `${names.slice(0, 3).join(', ')}${more}: ${version}${differs}`
    }),
    ...(kubeProxies.size === 0
      ? ['kube-proxy: version unknown, no DaemonSet runs it on Windows nodes']
      : [...kubeProxies].map(([name, version]) => `kube-proxy, DaemonSet ${name}: ${version}`)),
  ]
}
