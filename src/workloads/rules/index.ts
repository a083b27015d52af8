// Every rule for workloads, in the order in which docs/workload-rules.md lists them.
import type { WorkloadRule } from '../rule.ts'
import * as operatingSystem from './operating-system.ts'
import * as linuxFields from './linux-fields.ts'
import * as hostProcess from './host-process.ts'
import * as identity from './identity.ts'
import * as node from './node.ts'
import * as images from './images.ts'
import * as resources from './resources.ts'
import * as lifecycle from './lifecycle.ts'
import * as programs from './programs.ts'
import * as podNetwork from './pod-network.ts'
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
  ...rulesOf(node),
  ...rulesOf(images),
  ...rulesOf(resources),
  ...rulesOf(lifecycle),
  ...rulesOf(programs),
  ...rulesOf(podNetwork),
  ...rulesOf(services),
]
