// MachineDeployment: the number of machines, and their templates.
import type { Facts } from '../../model/facts.ts'
import { mergeJson, type JsonObject } from '../../model/json.ts'
import type { CapiVersion } from '../../model/target-settings.ts'
import { autoscalerAnnotations } from './autoscaler.ts'
import { machineNaming } from './names.ts'

/** A template to refer to. */
interface Named {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
}

/** Differences between the API versions. */
const versions: Readonly<
  Record<CapiVersion, { readonly ref: (to: Named) => JsonObject; readonly naming: string }>
> = {
  v1beta1: {
    ref: ({ apiVersion, kind, metadata: { name } }) => ({ apiVersion, kind, name }),
    naming: 'machineNamingStrategy',
  },
  v1beta2: {
    ref: ({ apiVersion, kind, metadata: { name } }) => ({
      apiGroup: apiVersion.replace(/\/.*/, ''),
      kind,
      name,
    }),
    naming: 'machineNaming',
  },
}

/** Labels of its machines, which the health check selects. */
export function machineLabels(cluster: string, name: string): JsonObject {
  return {
    'cluster.x-k8s.io/cluster-name': cluster,
    'cluster.x-k8s.io/deployment-name': name,
  }
}

export function machineDeployment(
  facts: Facts,
  cluster: string,
  bootstrap: Named,
  infrastructure: Named,
): JsonObject {
  const { name, kubernetes, targets } = facts.spec
  const { apiVersion, namespace, replicas, autoscaler, namePrefix, deployment } = targets.capi
  const { ref, naming } = versions[apiVersion]
  const labels = machineLabels(cluster, name)
  const spec = {
    clusterName: cluster,
    // The autoscaler owns replicas: an apply would reset them.
    ...(!autoscaler && { replicas }),
    selector: { matchLabels: labels },
    [naming]: machineNaming(namePrefix),
    template: {
      metadata: { labels },
      spec: {
        clusterName: cluster,
        version: `v${kubernetes.version}`,
        bootstrap: { configRef: ref(bootstrap) },
        infrastructureRef: ref(infrastructure),
      },
    },
  }
  return {
    apiVersion: `cluster.x-k8s.io/${apiVersion}`,
    kind: 'MachineDeployment',
    metadata: {
      name,
      namespace,
      ...(autoscaler && { annotations: autoscalerAnnotations(facts, autoscaler) }),
    },
    spec: mergeJson(spec, deployment),
  }
}
