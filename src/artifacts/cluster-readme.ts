// cluster/README.md: steps in the cluster, and how to create the files that a node needs.
import { cniOf } from '../cni/index.ts'
import type { Credentials } from '../model/credentials.ts'
import type { Facts } from '../model/facts.ts'
import { layout } from '../model/layout.ts'
import { listed, part } from '../cni/readme-part.ts'
import type { Part, PlannedFile } from '../model/plan.ts'
import type { NodeSpec } from '../model/spec.ts'
import { broughtFiles, apiClientsOf, credentialFilesOf } from './brought.ts'

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
          manifests: listed(files, /^cluster\/[^/]+$/),
          needs: needsOf(spec),
          address: asksServer(spec),
        }),
        ...cniOf(spec.network.cni).readme(spec, files),
        ...server(spec),
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
/** Whether a file of this page leads to the API server, and is tried there. */
const asksServer = (spec: NodeSpec) => apiClientsOf(spec).length > 0 || withoutKubeadm(spec)

/** Programs beside kubectl, and what for. */
function needsOf(spec: NodeSpec) {
  const openssl = [
    ...(byCertificate(spec) ? ['keys and certificates'] : []),
    ...(withoutKubeadm(spec) ? ['the bootstrap token'] : []),
  ].join(' and ')
  const kubeadm = withoutKubeadm(spec) ? '' : 'the token at the end, of the version of the cluster'
  return Object.entries({ openssl, kubeadm })
    .filter(([, use]) => use !== '')
    .map(([program, use]) => ({ program, use }))
}

/** Which cluster it is, and what each file that leads there is tried with. */
function server(spec: NodeSpec): readonly Part[] {
  const { join, network } = spec
  const discovery = join.discoveryFile !== undefined
  const { podCIDRs, serviceCIDRs, clusterDomain: domain } = network
  const [pods, services] = [podCIDRs.join(', '), serviceCIDRs.join(', ')]
  return [
    ...(discovery ? [part('discovery', { pods, services, domain })] : []),
    ...(asksServer(spec)
      ? [part('address', { discovery, server: `https://${join.endpoint ?? ''}` })]
      : []),
  ]
}

function credentials(spec: NodeSpec): readonly Part[] {
  const rows = apiClientsOf(spec).map((component) => ({
    kind: component.credentials.kind,
    account: component.account,
    user: `system:serviceaccount:kube-system:${component.account}`,
    lists: component.lists,
    file: credentialFilesOf(component)[0]?.file ?? '',
    name: component.name,
  }))
  const of = (
    kind: Credentials['kind'],
    name: string,
    reads: (row: (typeof rows)[number]) => Readonly<Record<string, string>>,
  ) => {
    const those = rows.filter((row) => row.kind === kind)
    return those.length > 0 ? [part(name, { components: those.map(reads) })] : []
  }
  return [
    ...(rows.length > 0 ? [part('credentials')] : []),
    ...of('kubeconfig', 'kubeconfigs', ({ account, file, lists }) => ({
      account,
      file,
      lists,
      // The token's claims are the account, its uid and the Secret's name: only another uid makes another token.
      renew: `kubectl -n kube-system delete serviceaccount ${account}`,
    })),
    ...of('tokenFile', 'tokens', ({ account, file, lists }) => ({ account, file, lists })),
    ...of('clientCertificate', 'certificates', ({ account, user, name, lists }) => ({
      account,
      user,
      name,
      lists,
    })),
  ]
}

/** Whether the token is named on the command line of Join, and not in the profile. */
const named = ({ join }: NodeSpec) => join.method === 'kubeadm' && join.tokenFile === undefined

function joining(spec: NodeSpec): readonly Part[] {
  return withoutKubeadm(spec)
    ? [part('bootstrap', { bootstrapPath: layout.bootstrapKubeconfig })]
    : [part('token', { named: named(spec) })]
}

function given(spec: NodeSpec): readonly Part[] {
  const brought = broughtFiles(spec).map(({ file, path }) => ({ file, path }))
  const approver = spec.kubelet.servingCertificateApprover
  return [
    part('given', { brought, named: named(spec) }),
    ...(approver === undefined ? [] : [part('serving-certificate', { approver })]),
  ]
}
