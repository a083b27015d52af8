// cluster/README.md: what to do on the side of the cluster, and how to get what a node must be given.
import type { Facts } from '../model/facts.ts'
import { compareText } from '../model/finding.ts'
import { layout } from '../model/layout.ts'
import type { Part, PlannedFile, View } from '../model/plan.ts'
import type { Credentials, NodeSpec } from '../model/spec.ts'
import { broughtFiles, componentsOf, credentialFilesOf } from './brought.ts'
import { flannelParts } from './flannel-readme.ts'

/** `files` are those of the bundle that lie below `cluster/`. */
export function clusterReadme({ spec }: Facts, files: readonly PlannedFile[]): PlannedFile {
  return {
    id: 'cluster-readme',
    path: 'cluster/README.md',
    summary:
      'What to do on the cluster’s side, and how to get the files that a node must be given.',
    body: {
      kind: 'page',
      parts: [
        part('begin', { manifests: listed(files, /^cluster\/[^/]+$/) }),
        ...flannelParts(spec.network),
        ...antrea(spec, files),
        ...credentials(spec),
        ...joining(spec),
        ...given(spec),
      ],
    },
  }
}

export function part(name: string, view: View = {}): Part {
  return { template: `cluster/readme/${name}.md.hbs`, view }
}

function listed(files: readonly PlannedFile[], below: RegExp) {
  return files
    .filter(({ path }) => below.test(path))
    .map(({ path, summary }) => ({ path, summary }))
    .sort((a, b) => compareText(a.path, b.path))
}

function antrea({ network }: NodeSpec, files: readonly PlannedFile[]): readonly Part[] {
  if (network.cni !== 'antrea') return []
  return [part('antrea', { settings: listed(files, /^cluster\/linux-side\//) })]
}

/** What a component must be allowed to list: else its credentials are of no use to it. */
const listable: Readonly<Record<string, string>> = { 'kube-proxy': 'services', flannel: 'nodes' }

function credentials(spec: NodeSpec): readonly Part[] {
  const { join, network } = spec
  const rows = componentsOf(spec).map((component) => ({
    kind: component.credentials.kind,
    account: component.account,
    user: `system:serviceaccount:kube-system:${component.account}`,
    lists: listable[component.name] ?? 'nodes',
    file: credentialFilesOf(component)[0]?.file ?? '',
    name: component.name,
  }))
  const of = (
    kind: Credentials['kind'],
    name: string,
    reads: (row: (typeof rows)[number]) => Readonly<Record<string, string>>,
    view: View = {},
  ) => {
    const those = rows.filter((row) => row.kind === kind)
    return those.length > 0 ? [part(name, { ...view, components: those.map(reads) })] : []
  }
  const discovery = {
    pods: network.podCIDRs.join(', '),
    services: network.serviceCIDRs.join(', '),
    domain: network.clusterDomain,
  }
  return [
    ...(join.discoveryFile === undefined ? [] : [part('discovery', discovery)]),
    ...(rows.length > 0 ? [part('credentials')] : []),
    ...of('kubeconfig', 'kubeconfigs', ({ account, file, lists }) => ({ account, file, lists }), {
      discovery: join.discoveryFile !== undefined,
      server: serverOf(spec),
    }),
    ...of('tokenFile', 'tokens', ({ account, file }) => ({ account, file })),
    ...of('clientCertificate', 'certificates', ({ account, user, name }) => ({
      account,
      user,
      name,
    })),
  ]
}

const serverOf = ({ join }: NodeSpec) => `https://${join.endpoint ?? ''}`

function joining(spec: NodeSpec): readonly Part[] {
  if (spec.join.method === 'kubeadm') return [part('token')]
  const bootstrapPath = layout.bootstrapKubeconfig
  return [part('bootstrap', { server: serverOf(spec), bootstrapPath })]
}

function given(spec: NodeSpec): readonly Part[] {
  const brought = broughtFiles(spec).map(({ file, path }) => ({ file, path }))
  const approver = spec.kubelet.servingCertificateApprover
  return [
    part('given', { brought, kubeadm: spec.join.method === 'kubeadm' }),
    ...(approver === undefined ? [] : [part('serving-certificate', { approver })]),
  ]
}
