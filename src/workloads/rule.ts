// Rule of workloads: something that must hold for pods on Windows nodes, or for Services in front of them.
import type { Facts } from '../model/facts.ts'
import type { Conflict, Described, Weighed } from '../model/rule.ts'
import type { ImagePlatforms } from './image-builds.ts'
import type { RuntimeClasses } from './node.ts'
import type { Service } from './service.ts'
import type { Workload } from './workload.ts'

/** What is known beside the object that is checked. */
export interface Around {
  /** The version of the API server. */
  readonly apiServer: string
  /** Of the profile; absent without one. */
  readonly node: Facts | undefined
  /** Of the manifests and of the profile. */
  readonly runtimeClasses: RuntimeClasses
  /** Platforms of images, as a registry lists them. */
  readonly platforms: ReadonlyMap<string, ImagePlatforms>
  /** The level that Pod Security enforces, by namespace, as far as the manifests say it. */
  readonly podSecurity: ReadonlyMap<string, string>
}

interface OfWorkloads {
  readonly of: 'workload'
  /** Paths begin at the object. */
  readonly check: (workload: Workload, around: Around) => readonly Conflict[]
}

interface OfServices {
  readonly of: 'service'
  readonly check: (service: Service, around: Around) => readonly Conflict[]
}

export type WorkloadRule = Described & Weighed & (OfWorkloads | OfServices)

/** Type-checks a declaration where it stands. */
export function defineWorkloadRule(rule: WorkloadRule): WorkloadRule {
  return rule
}
