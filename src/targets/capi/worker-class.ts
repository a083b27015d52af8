// A worker class of a ClusterClass, and its machines in the topology of a Cluster.
// Both are parts of objects of the user: server-side apply merges the lists by class and by name.
// https://github.com/kubernetes-sigs/cluster-api/blob/ae7ff047db499ac3858ade268ba38db8c9f128bb/api/core/v1beta2/clusterclass_types.go (WorkersClass)
import type { Facts } from '../../model/facts.ts'
import { mergeJson, type JsonObject } from '../../model/json.ts'
import type { CapiKind, CapiVersion } from '../../model/target-settings.ts'
import { healthCheck } from './health-check.ts'
import { annotationsOf, replicasOf } from './machine-owner.ts'
import { fullReference, type Named } from './names.ts'

const lists: Readonly<Record<CapiKind, string>> = {
  MachineDeployment: 'machineDeployments',
  MachinePool: 'machinePools',
}

interface Parts {
  readonly bootstrap: JsonObject
  readonly infrastructure: JsonObject
  /** A class of machine pools has none. */
  readonly health: JsonObject | undefined
}

const classes: Readonly<Record<CapiVersion, (parts: Parts) => JsonObject>> = {
  v1beta1: ({ bootstrap, infrastructure, health }) => ({
    template: { bootstrap: { ref: bootstrap }, infrastructure: { ref: infrastructure } },
    ...(health && { machineHealthCheck: health }),
  }),
  v1beta2: ({ bootstrap, infrastructure, health }) => ({
    bootstrap: { templateRef: bootstrap },
    infrastructure: { templateRef: infrastructure },
    ...(health && { healthCheck: health }),
  }),
}

export function workerClass(
  facts: Facts,
  clusterClass: string,
  cluster: string,
  bootstrap: Named,
  infrastructure: Named,
): readonly JsonObject[] {
  const { name, targets } = facts.spec
  const { kind, apiVersion, namespace, deployment } = targets.capi
  const parts = {
    bootstrap: fullReference(bootstrap),
    infrastructure: fullReference(infrastructure),
    health: kind === 'MachineDeployment' ? healthCheck(facts.spec) : undefined,
  }
  const row = mergeJson({ class: name, ...classes[apiVersion](parts) }, deployment)
  const annotations = annotationsOf(facts)
  const machines = {
    class: name,
    name,
    ...replicasOf(facts),
    ...(Object.keys(annotations).length > 0 && { metadata: annotations }),
  }
  const version = `cluster.x-k8s.io/${apiVersion}`
  return [
    {
      apiVersion: version,
      kind: 'ClusterClass',
      metadata: { name: clusterClass, namespace },
      spec: { workers: { [lists[kind]]: [row] } },
    },
    {
      apiVersion: version,
      kind: 'Cluster',
      metadata: { name: cluster, namespace },
      spec: { topology: { workers: { [lists[kind]]: [machines] } } },
    },
  ]
}
