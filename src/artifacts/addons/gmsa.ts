// GMSACredentialSpecs, each with the permission to use it for the service accounts of its pods.
import { reasonsFor } from '../../matrix/reasons.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { Part } from '../../model/plan.ts'
import type { NodeSpec } from '../../model/spec.ts'

type CredentialSpec = NodeSpec['cluster']['gmsa']['credentialSpecs'][number]

function partsOf(spec: CredentialSpec): readonly Part[] {
  const { hostAccountConfig, serviceAccounts } = spec
  const role = `winnode-gmsa-${spec.name}`
  const namespaces = [...new Set(serviceAccounts.map(({ namespace }) => namespace))]
  return [
    {
      template: 'cluster/gmsa.yaml.hbs',
      view: {
        name: spec.name,
        role,
        account: spec.machineAccountName,
        dnsName: spec.dnsName,
        dnsTreeName: spec.dnsTreeName ?? spec.dnsName,
        netBiosName: spec.netBiosName,
        guid: spec.guid,
        sid: spec.sid,
        hostAccount: hostAccountConfig !== undefined,
        pluginGUID: hostAccountConfig?.pluginGUID ?? '',
        pluginInput: hostAccountConfig?.pluginInput ?? '',
      },
    },
    ...namespaces.map((namespace) => ({
      template: 'cluster/gmsa-binding.yaml.hbs',
      view: {
        role,
        namespace,
        subjects: serviceAccounts.filter((one) => one.namespace === namespace),
      },
    })),
  ]
}

export const gmsa: Artifact = ({ spec: { cluster } }) =>
  cluster.gmsa.credentialSpecs.length > 0
    ? {
        id: 'cluster-gmsa',
        path: 'cluster/70-gmsa.yaml',
        summary: 'Credential specs of group managed service accounts, and permission to use them.',
        body: { kind: 'page', parts: cluster.gmsa.credentialSpecs.flatMap(partsOf) },
        settings: reasonsFor('gMSA'),
      }
    : undefined
