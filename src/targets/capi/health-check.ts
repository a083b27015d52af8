// MachineHealthCheck: when Cluster API replaces a machine.
import type { JsonObject } from '../../model/json.ts'
import type { NodeSpec } from '../../model/spec.ts'
import type { CapiVersion } from '../../model/target-settings.ts'
import { machineLabels } from './machine-owner.ts'

/** Longer than a restart of Windows with updates. */
const unhealthyMinutes = 15
/**
 * Above this share, the cause is probably not the machines. A number, as Cluster API rounds a percentage down: 40% of
 * one or two machines is none, and none would ever be replaced.
 * https://github.com/kubernetes-sigs/cluster-api/blob/main/core/reconcilers/machinehealthcheck/machinehealthcheck_controller.go (getMaxUnhealthy)
 */
const maxUnhealthy = (machines: number) => Math.max(1, Math.floor(machines * 0.4))

const unhealthyStatuses = ['Unknown', 'False'] as const

const checks: Readonly<Record<CapiVersion, (startMinutes: number, most: number) => JsonObject>> = {
  v1beta1: (startMinutes, most) => ({
    nodeStartupTimeout: `${startMinutes}m`,
    maxUnhealthy: most,
    unhealthyConditions: unhealthyStatuses.map((status) => ({
      type: 'Ready',
      status,
      timeout: `${unhealthyMinutes}m`,
    })),
  }),
  v1beta2: (startMinutes, most) => ({
    checks: {
      nodeStartupTimeoutSeconds: startMinutes * 60,
      unhealthyNodeConditions: unhealthyStatuses.map((status) => ({
        type: 'Ready',
        status,
        timeoutSeconds: unhealthyMinutes * 60,
      })),
    },
    remediation: { triggerIf: { unhealthyLessThanOrEqualTo: most } },
  }),
}

/** In the form of a MachineHealthCheck, which a class of a ClusterClass has too. */
export function healthCheck({ targets }: NodeSpec): JsonObject {
  const { apiVersion, startMinutes, replicas, autoscaler } = targets.capi
  return checks[apiVersion](startMinutes, maxUnhealthy(autoscaler?.max ?? replicas))
}

export function machineHealthCheck(spec: NodeSpec, cluster: string): JsonObject {
  const { name, targets } = spec
  const { apiVersion, namespace } = targets.capi
  return {
    apiVersion: `cluster.x-k8s.io/${apiVersion}`,
    kind: 'MachineHealthCheck',
    metadata: { name, namespace },
    spec: {
      clusterName: cluster,
      selector: { matchLabels: machineLabels(cluster, name) },
      ...healthCheck(spec),
    },
  }
}
