// MachineHealthCheck: when Cluster API replaces a machine.
import type { JsonObject } from '../../model/json.ts'
import type { NodeSpec } from '../../model/spec.ts'
import type { CapiVersion } from '../../model/target-settings.ts'
import { machineLabels } from './machine-deployment.ts'

/** Longer than a restart of Windows with updates. */
const unhealthyMinutes = 15
/** Above this share, the cause is probably not the machines. */
const maxUnhealthy = '40%'

const unhealthyStatuses = ['Unknown', 'False'] as const

const checks: Readonly<Record<CapiVersion, (startMinutes: number) => JsonObject>> = {
  v1beta1: (startMinutes) => ({
    nodeStartupTimeout: `${startMinutes}m`,
    maxUnhealthy: maxUnhealthy,
    unhealthyConditions: unhealthyStatuses.map((status) => ({
      type: 'Ready',
      status,
      timeout: `${unhealthyMinutes}m`,
    })),
  }),
  v1beta2: (startMinutes) => ({
    checks: {
      nodeStartupTimeoutSeconds: startMinutes * 60,
      unhealthyNodeConditions: unhealthyStatuses.map((status) => ({
        type: 'Ready',
        status,
        timeoutSeconds: unhealthyMinutes * 60,
      })),
    },
    remediation: { triggerIf: { unhealthyLessThanOrEqualTo: maxUnhealthy } },
  }),
}

export function machineHealthCheck({ name, targets }: NodeSpec, cluster: string): JsonObject {
  const { apiVersion, namespace, startMinutes } = targets.capi
  return {
    apiVersion: `cluster.x-k8s.io/${apiVersion}`,
    kind: 'MachineHealthCheck',
    metadata: { name, namespace },
    spec: {
      clusterName: cluster,
      selector: { matchLabels: machineLabels(cluster, name) },
      ...checks[apiVersion](startMinutes),
    },
  }
}
