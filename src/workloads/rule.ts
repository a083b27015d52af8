// A rule about pods on Windows nodes, or about Services in front of them.
import type { Facts } from '../model/facts.ts'
import type { Conflict, RuleTexts, RuleSeverity } from '../model/rule.ts'
import type { ImagePlatforms } from '../matrix/image-builds.ts'
import type { NfsClaims } from './nfs.ts'
import type { RuntimeClasses } from './node.ts'
import type { Service } from './service.ts'
import type { Workload } from './workload.ts'

/** What a rule knows besides the checked object. */
export interface RuleContext {
  /** The version of the API server. */
  readonly apiServer: string
  /** Facts of the profile; absent without a profile. */
  readonly node: Facts | undefined
  /** RuntimeClasses of the manifests and of the profile. */
  readonly runtimeClasses: RuntimeClasses
  /** Platforms of images, as a registry lists them. */
  readonly platforms: ReadonlyMap<string, ImagePlatforms>
  /** The enforced Pod Security level by namespace, if the manifests contain it. */
  readonly podSecurity: ReadonlyMap<string, string>
  readonly nfsClaims: NfsClaims
}

type Check<T> = (checked: T, around: RuleContext) => readonly Conflict[]

type Texts = RuleTexts & RuleSeverity

/** Paths in conflicts start at the object. */
export type WorkloadRule = Texts &
  (
    | { readonly of: 'workload'; readonly check: Check<Workload> }
    /** For Linux, and the nodes of the profile can be chosen. */
    | { readonly of: 'astray'; readonly check: Check<Workload> }
    | { readonly of: 'service'; readonly check: Check<Service> }
  )

export function defineWorkloadRule(
  rule: Texts & { readonly check: Check<Workload> },
): WorkloadRule {
  return { ...rule, of: 'workload' }
}

export function defineAstrayRule(rule: Texts & { readonly check: Check<Workload> }): WorkloadRule {
  return { ...rule, of: 'astray' }
}

export function defineServiceRule(rule: Texts & { readonly check: Check<Service> }): WorkloadRule {
  return { ...rule, of: 'service' }
}
