// Checks manifests with every rule for pods on Windows nodes, and for Services.
import { textsAt } from '../model/json.ts'
import { newestMinor } from '../matrix/kubernetes.ts'
import type { Facts } from '../model/facts.ts'
import type { Finding } from '../model/finding.ts'
import type { Conflict } from '../model/rule.ts'
import type { ImagePlatforms } from '../matrix/image-builds.ts'
import { workloadRules } from './rules/index.ts'
import { type Manifest, titleOf } from './manifest.ts'
import { nfsClaimsOf } from './nfs.ts'
import { renderedRuntimeClasses } from './node.ts'
import type { RuleContext, WorkloadRule } from './rule.ts'
import { runtimeClassOf } from './scheduling.ts'
import { selects, serviceOf } from './service.ts'
import { type Target, targetOf } from './windows.ts'
import { workloadsOf } from './workload.ts'

export interface LintInput {
  /** The profile whose nodes run the pods. */
  readonly node?: Facts | undefined
  readonly platforms?: ReadonlyMap<string, ImagePlatforms>
  /** The default is the profile's version, otherwise the newest known one. */
  readonly apiServer?: string
}

export interface LintResult {
  readonly findings: readonly Finding[]
  /** How many objects were checked. */
  readonly workloads: number
  readonly services: number
  /** How many workloads are not for Windows. */
  readonly others: number
}

export function lint(manifests: readonly Manifest[], input: LintInput = {}): LintResult {
  const context = contextOf(manifests, input)
  const workloads = manifests.flatMap(workloadsOf)
  const targeted = workloads.map((workload) => ({ workload, target: targetOf(workload, context) }))
  const of = (...targets: readonly Target[]) =>
    targeted.flatMap(({ workload, target }) => (targets.includes(target) ? [workload] : []))
  const forWindows = of('windows', 'undecided')
  const others = of('astray', 'elsewhere')
  const services = manifests
    .flatMap((one) => serviceOf(one) ?? [])
    .filter((one) => {
      const has = (some: typeof workloads) => some.some((workload) => selects(one, workload))
      // A Service without a matching workload is checked too, because its pods can be in another file.
      return has(forWindows) || !has(others)
    })
  const findings = workloadRules.flatMap((rule) =>
    rule.of === 'service'
      ? services.flatMap((one) => findingsOf(rule, one.manifest, rule.check(one, context)))
      : (rule.of === 'astray' ? of('astray') : forWindows).flatMap((one) =>
          findingsOf(rule, one.manifest, rule.check(one, context)),
        ),
  )
  return {
    findings,
    workloads: forWindows.length,
    services: services.length,
    others: others.length,
  }
}

function contextOf(
  manifests: readonly Manifest[],
  { node, platforms, apiServer }: LintInput,
): RuleContext {
  const classes = manifests.filter(
    ({ kind, group }) => kind === 'RuntimeClass' && group === 'node.k8s.io',
  )
  const namespaces = manifests.filter(({ kind, group }) => kind === 'Namespace' && group === '')
  return {
    apiServer: apiServer ?? node?.spec.kubernetes.apiServer ?? newestMinor().newestPatch,
    node,
    platforms: platforms ?? new Map(),
    runtimeClasses: new Map([
      ...(node ? renderedRuntimeClasses(node) : []),
      ...classes.map((one) => [one.name, runtimeClassOf(one)] as const),
    ]),
    podSecurity: new Map(
      namespaces.flatMap(({ name, value }) => {
        const labels = textsAt(value, ['metadata', 'labels'])
        const level = labels['pod-security.kubernetes.io/enforce']
        return level === undefined ? [] : [[name, level] as const]
      }),
    ),
    nfsClaims: nfsClaimsOf(manifests),
  }
}

function findingsOf(
  { id, severity, harm, remedy, see }: WorkloadRule,
  manifest: Manifest,
  conflicts: readonly Conflict[],
): readonly Finding[] {
  const title = titleOf(manifest)
  return conflicts.map((conflict) => ({
    id,
    severity,
    ...(harm && { harm }),
    remedy,
    see,
    ...conflict,
    path: [title, ...conflict.path],
    message: `${title}: ${conflict.message}`,
    place: manifest.place(conflict.path, conflict.at),
  }))
}
