// cluster/README.md: the order in which to apply, and how to get what the node must be given.
import { cniOf } from '../cni/index.ts'
import type { Facts } from '../model/facts.ts'
import { compareText } from '../model/finding.ts'
import { layout } from '../model/layout.ts'
import type { PlannedFile, View } from '../model/plan.ts'
import type { Credentials } from '../model/spec.ts'

/** `files` are those of the bundle that lie below `cluster/`. */
export function clusterReadme({ spec }: Facts, files: readonly PlannedFile[]): PlannedFile {
  const listed = (below: RegExp) =>
    files
      .filter(({ path }) => below.test(path))
      .map(({ path, summary }) => ({ path, summary }))
      .sort((a, b) => compareText(a.path, b.path))
  const manifests = listed(/^cluster\/[^/]+$/)
  const settings = listed(/^cluster\/linux-side\//)
  return {
    id: 'cluster-readme',
    path: 'cluster/README.md',
    summary: 'What to apply to the cluster, and how to get the files that a node must be given.',
    body: {
      kind: 'template',
      template: 'cluster/README.md.hbs',
      view: {
        manifests,
        settings,
        compare: settings.length > 0,
        antrea: spec.network.cni === 'antrea',
        ...components(spec),
        discovery: spec.join.discoveryFile !== undefined,
        discoveryPath: spec.join.discoveryFile ?? '',
        pods: spec.network.podCIDRs.join(', '),
        services: spec.network.serviceCIDRs.join(', '),
        domain: spec.network.clusterDomain,
        approved: spec.kubelet.servingCertificateApprover !== undefined,
        approver: spec.kubelet.servingCertificateApprover ?? '',
        kubeadm: spec.join.method === 'kubeadm',
        bootstrap: spec.join.method === 'bootstrapKubeconfig',
        bootstrapPath: layout.bootstrapKubeconfig,
        named: spec.join.endpoint !== undefined,
        server: `https://${spec.join.endpoint ?? ''}`,
      },
    },
  }
}

function components({ network, kubeProxy }: Facts['spec']): View {
  const all = [
    ...(cniOf(network.cni).kubeProxy
      ? [{ name: 'kube-proxy', credentials: kubeProxy.credentials }]
      : []),
    ...(cniOf(network.cni).credentials
      ? [{ name: network.cni, credentials: network.credentials }]
      : []),
  ]
  const rows = all.map(({ name, credentials }) => ({
    ...rowOf(credentials),
    kind: credentials.kind,
    account: `winnode-${name}`,
    user: `system:serviceaccount:kube-system:winnode-${name}`,
    file: `${name}.conf`,
  }))
  const of = (kind: Credentials['kind']) => rows.filter((row) => row.kind === kind)
  return {
    components: rows.length > 0,
    kubeconfigs: of('kubeconfig'),
    tokens: of('tokenFile'),
    certificates: of('clientCertificate'),
  }
}

function rowOf(credentials: Credentials): { path: string; key: string } {
  switch (credentials.kind) {
    case 'kubeconfig':
      return { path: credentials.kubeconfig, key: '' }
    case 'tokenFile':
      return { path: credentials.tokenFile, key: '' }
    case 'clientCertificate':
      return { path: credentials.certificate, key: credentials.key }
  }
}
