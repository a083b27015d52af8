// Every group of steps, in the order in which a node runs them.
import { cniOf } from '../cni/index.ts'
import type { Facts } from '../model/facts.ts'
import type { DraftStep } from '../model/plan.ts'
import { bootSteps } from './boot.ts'
import { directorySteps } from './directories.ts'
import { featureSteps, hostSteps, volumeSteps } from './host.ts'
import { afterJoinSteps, joinSteps } from './join.ts'
import { programSteps } from './programs.ts'
import { registrySteps } from './registry.ts'
import { containerdSteps, kubeletSteps, kubeProxySteps } from './services.ts'

type Group = (facts: Facts) => readonly DraftStep[]

const plugin =
  (part: 'host' | 'services'): Group =>
  (facts) =>
    cniOf(facts.spec.network.cni).steps?.[part]?.(facts) ?? []

/** Steps before those that write files; the ones that can require a restart come first. */
export const beforeFiles: readonly Group[] = [
  featureSteps,
  registrySteps,
  plugin('host'),
  directorySteps,
  hostSteps,
  programSteps,
  volumeSteps,
]

/** Steps that need the files. */
export const afterFiles: readonly Group[] = [
  containerdSteps,
  kubeletSteps,
  kubeProxySteps,
  plugin('services'),
  joinSteps,
  afterJoinSteps,
  bootSteps,
]
