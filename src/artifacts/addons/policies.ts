// Admission policies for pods on Windows nodes, each with the binding that enforces it.
import { reasonsFor } from '../../matrix/reasons.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { NodeSpec } from '../../model/spec.ts'

/** The API server rejects Deny together with Warn. */
const actionsOf = ({ action }: NodeSpec['cluster']['policies']) =>
  (action === 'Deny' ? ['Deny'] : ['Warn', 'Audit']).map((name) => ({ name }))

export const nodeSelectorPolicy: Artifact = ({ spec: { cluster } }) =>
  cluster.policies.nodeSelector
    ? {
        id: 'cluster-policy-node-selector',
        path: 'cluster/40-policy-node-selector.yaml',
        summary: 'Admission policy: pods with os.name windows have a node selector for Windows.',
        body: {
          kind: 'template',
          template: 'cluster/policy-node-selector.yaml.hbs',
          view: { actions: actionsOf(cluster.policies) },
        },
        settings: reasonsFor('admission policies'),
      }
    : undefined

export const hostProcessPolicy: Artifact = ({ spec: { cluster } }) => {
  const { hostProcessNamespaces } = cluster.policies
  if (hostProcessNamespaces === undefined) return undefined
  return {
    id: 'cluster-policy-host-process',
    path: 'cluster/41-policy-host-process.yaml',
    summary: 'Admission policy: only some namespaces run HostProcess pods.',
    body: {
      kind: 'template',
      template: 'cluster/policy-host-process.yaml.hbs',
      view: {
        actions: actionsOf(cluster.policies),
        limited: hostProcessNamespaces.length > 0,
        namespaces: hostProcessNamespaces.map((name) => ({ name })),
      },
    },
    settings: reasonsFor('admission policies'),
  }
}
