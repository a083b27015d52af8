// Every rule for workloads, in the order in which docs/workload-rules.md lists them.
import type { WorkloadRule } from '../rule.ts'
import * as operatingSystem from './operating-system.ts'
import * as linuxFields from './linux-fields.ts'
import * as hostProcess from './host-process.ts'
import * as identity from './identity.ts'
import * as services from './services.ts'
import * as volumes from './volumes.ts'

/** A module whose exports are all rules. */
type Topic = Readonly<Record<string, WorkloadRule | readonly WorkloadRule[]>>

const rulesOf = (topic: Topic): readonly WorkloadRule[] => Object.values(topic).flat()

export const workloadRules: readonly WorkloadRule[] = [
  ...rulesOf(operatingSystem),
  ...rulesOf(linuxFields),
  ...rulesOf(hostProcess),
  ...rulesOf(identity),
  ...rulesOf(volumes),
  ...rulesOf(services),
]
