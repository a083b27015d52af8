// A rule about pods on Windows nodes, or about Services in front of them.
import type { Facts } from '../model/facts.ts'
import type { Conflict, RuleTexts, RuleSeverity } from '../model/rule.ts'
import type { ImagePlatforms } from './windows-builds.ts'
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
}

interface WorkloadCheck {
  readonly of: 'workload'
  /** Paths start at the object. */
  readonly check: (workload: Workload, around: RuleContext) => readonly Conflict[]
}

interface ServiceCheck {
  readonly of: 'service'
  readonly check: (service: Service, around: RuleContext) => readonly Conflict[]
}

export type WorkloadRule = RuleTexts & RuleSeverity & (WorkloadCheck | ServiceCheck)

/** Type-checks a declaration in place. */
export function defineWorkloadRule(rule: WorkloadRule): WorkloadRule {
  return rule
}
