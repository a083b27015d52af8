// cluster/README.md: steps in the cluster, and what the commands of prepare.sh create.
import { cniOf } from '../cni/index.ts'
import type { Facts } from '../model/facts.ts'
import { layout } from '../model/layout.ts'
import { listed, part } from '../cni/readme-part.ts'
import type { Part, PlannedFile } from '../model/plan.ts'
import type { NodeSpec } from '../model/spec.ts'
import { apiClientsOf } from '../cni/api-clients.ts'
import { filesToCopy, takesToken } from './files-to-copy.ts'
import { clusterManifest } from './kustomization.ts'
import { createsCredentials } from './prepare-script.ts'

/** `files`: the files of the bundle below `cluster/`. */
export function clusterReadme({ spec, has }: Facts, files: readonly PlannedFile[]): PlannedFile {
  return {
    id: 'cluster-readme',
    path: 'cluster/README.md',
    summary: 'Steps in the cluster, and how to create the files that a node needs.',
    body: {
      kind: 'page',
      parts: [
        part('begin', {
          manifests: listed(files, clusterManifest),
          needs: needsOf(spec),
        }),
        ...cniOf(spec.network.cni).readme(spec, files),
        ...(spec.kubeProxy.runsAs === 'hostProcess' ? [part('kube-proxy')] : []),
        ...credentials(spec),
        ...joining(spec),
        ...given(spec),
        part('end', {
          certificates: byCertificate(spec),
          policies: has('apiserver-admission-policies'),
        }),
      ],
    },
  }
}

const byCertificate = (spec: NodeSpec) =>
  apiClientsOf(spec).some((client) => client.credentials.kind === 'clientCertificate')
const withoutKubeadm = ({ join }: NodeSpec) => join.method === 'bootstrapKubeconfig'

/** Programs beside kubectl, and what for. */
function needsOf(spec: NodeSpec) {
  const openssl = [
    ...(byCertificate(spec) ? ['keys and certificates'] : []),
    ...(withoutKubeadm(spec) ? ['the bootstrap token'] : []),
  ].join(' and ')
  const kubeadm = withoutKubeadm(spec)
    ? ''
    : 'the token at the end; its version must be that of the cluster'
  return Object.entries({ openssl, kubeadm })
    .filter(([, use]) => use !== '')
    .map(([program, use]) => ({ program, use }))
}

function credentials(spec: NodeSpec): readonly Part[] {
  if (!createsCredentials(spec)) return []
  const { join, network } = spec
  const { podCIDRs, serviceCIDRs, clusterDomain: domain } = network
  const [pods, services] = [podCIDRs.join(', '), serviceCIDRs.join(', ')]
  const clients = apiClientsOf(spec)
  const accounts = (kind: string) =>
    clients.filter((client) => client.credentials.kind === kind).map(({ account }) => account)
  return [
    part('credentials', { clients: clients.length > 0 }),
    ...(join.discoveryFile === undefined ? [] : [part('discovery', { pods, services, domain })]),
    ...Object.entries({
      // The token's claims are the account, its uid and the Secret's name: only another uid makes another token.
      kubeconfigs: accounts('kubeconfig').map((account) => ({
        renew: `kubectl -n kube-system delete serviceaccount ${account}`,
      })),
      tokens: accounts('tokenFile').map((account) => ({ account })),
      certificates: accounts('clientCertificate').map((account) => ({
        account,
        user: `system:serviceaccount:kube-system:${account}`,
      })),
    })
      .filter(([, components]) => components.length > 0)
      .map(([name, components]) => part(name, { components })),
  ]
}

function joining(spec: NodeSpec): readonly Part[] {
  return withoutKubeadm(spec)
    ? [part('bootstrap', { bootstrapPath: layout.bootstrapKubeconfig })]
    : [part('token', { named: takesToken(spec) })]
}

function given(spec: NodeSpec): readonly Part[] {
  const copied = filesToCopy(spec).map(({ file, path }) => ({ file, path }))
  const approver = spec.kubelet.servingCertificateApprover
  return [
    part('given', { copied, named: takesToken(spec) }),
    ...(approver === undefined ? [] : [part('serving-certificate', { approver })]),
  ]
}
