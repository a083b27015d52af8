// MachineHealthCheck: when a machine that gives no working node is replaced.
import type { JsonObject } from '../../model/json.ts'
import type { NodeSpec } from '../../model/spec.ts'
import type { CapiVersion } from '../../model/target-settings.ts'
import { machineLabels } from './machine-deployment.ts'

/** Longer than a restart of Windows with its updates takes. */
const unwellMinutes = 15
/** Where more are unwell, the machines are not what is wrong. */
const most = '40%'

const unwell = ['Unknown', 'False'] as const

const checks: Readonly<Record<CapiVersion, (startMinutes: number) => JsonObject>> = {
  v1beta1: (startMinutes) => ({
    nodeStartupTimeout: `${startMinutes}m`,
    maxUnhealthy: most,
    unhealthyConditions: unwell.map((status) => ({
      type: 'Ready',
      status,
      timeout: `${unwellMinutes}m`,
    })),
  }),
  v1beta2: (startMinutes) => ({
    checks: {
      nodeStartupTimeoutSeconds: startMinutes * 60,
      unhealthyNodeConditions: unwell.map((status) => ({
        type: 'Ready',
        status,
        timeoutSeconds: unwellMinutes * 60,
      })),
    },
    remediation: { triggerIf: { unhealthyLessThanOrEqualTo: most } },
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
