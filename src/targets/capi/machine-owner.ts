// MachineDeployment or MachinePool: the number of machines, and what they are made of.
import type { Facts } from '../../model/facts.ts'
import { mergeJson, type JsonObject } from '../../model/json.ts'
import type { CapiVersion } from '../../model/target-settings.ts'
import { autoscalerAnnotations } from './autoscaler.ts'
import { machineNaming, references, type Named } from './names.ts'

const namings: Readonly<Record<CapiVersion, string>> = {
  v1beta1: 'machineNamingStrategy',
  v1beta2: 'machineNaming',
}

/** Labels of the machines of a MachineDeployment, which the health check selects. */
export function machineLabels(cluster: string, name: string): JsonObject {
  return {
    'cluster.x-k8s.io/cluster-name': cluster,
    'cluster.x-k8s.io/deployment-name': name,
  }
}

/** The autoscaler owns replicas: an apply would reset them. */
export function replicasOf({ spec: { targets } }: Facts): JsonObject {
  const { autoscaler, replicas } = targets.capi
  return autoscaler ? {} : { replicas }
}

export function annotationsOf(facts: Facts): JsonObject {
  const { autoscaler } = facts.spec.targets.capi
  return autoscaler ? { annotations: autoscalerAnnotations(facts, autoscaler) } : {}
}

export function machineOwner(
  facts: Facts,
  cluster: string,
  bootstrap: Named,
  infrastructure: Named,
): JsonObject {
  const { name, kubernetes, targets } = facts.spec
  const { kind, apiVersion, namespace, namePrefix, deployment } = targets.capi
  const reference = references[apiVersion]
  const labels = machineLabels(cluster, name)
  const isDeployment = kind === 'MachineDeployment'
  const spec = {
    clusterName: cluster,
    ...replicasOf(facts),
    ...(isDeployment && {
      selector: { matchLabels: labels },
      [namings[apiVersion]]: machineNaming(namePrefix),
    }),
    template: {
      ...(isDeployment && { metadata: { labels } }),
      spec: {
        clusterName: cluster,
        version: `v${kubernetes.version}`,
        bootstrap: { configRef: reference(bootstrap) },
        infrastructureRef: reference(infrastructure),
      },
    },
  }
  return {
    apiVersion: `cluster.x-k8s.io/${apiVersion}`,
    kind,
    metadata: { name, namespace, ...annotationsOf(facts) },
    spec: mergeJson(spec, deployment),
  }
}
