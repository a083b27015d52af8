// cluster/prepare.sh: applies the manifests, and creates the files that a node needs.
import { cniOf } from '../cni/index.ts'
import type { Credentials } from '../model/credentials.ts'
import type { Facts } from '../model/facts.ts'
import type { Part, PlannedFile, View } from '../model/plan.ts'
import type { NodeSpec } from '../model/spec.ts'
import { apiClientsOf } from '../cni/api-clients.ts'
import { credentialFilesOf } from './files-to-copy.ts'

export function prepareScript({ spec }: Facts): PlannedFile {
  const plugin = cniOf(spec.network.cni).prepare?.(spec)
  const commands = [
    { name: 'apply', about: 'print what would change in the cluster, and apply the manifests' },
    ...(plugin?.commands ?? []),
    ...(createsCredentials(spec)
      ? [{ name: 'credentials', about: 'create or renew the files for the nodes' }]
      : []),
    spec.join.method === 'kubeadm'
      ? { name: 'token', about: 'create a bootstrap token that is valid for one hour' }
      : { name: 'bootstrap-kubeconfig', about: 'create a kubeconfig that is valid for one hour' },
  ]
  const variables = [
    { name: 'KUBECONFIG', about: 'kubeconfig of a cluster administrator, as for kubectl' },
    {
      name: 'FOR_THE_NODES',
      about: 'folder for the files (default: for-the-nodes beside the bundle)',
    },
    ...(plugin?.variables ?? []),
  ]
  const calls = commands.map(({ name }) => ({ name, call: name.replaceAll('-', '_') }))
  return {
    id: 'cluster-prepare',
    path: 'cluster/prepare.sh',
    summary: 'Applies the manifests, and creates the files that a node needs.',
    body: {
      kind: 'page',
      parts: [
        part('begin', { commands, variables }),
        ...(plugin?.parts ?? []),
        ...credentials(spec),
        part(spec.join.method === 'kubeadm' ? 'token' : 'bootstrap'),
        part('end', { commands: calls }),
      ],
    },
  }
}

/** Whether any file of the nodes outlives the join. */
export function createsCredentials(spec: NodeSpec): boolean {
  return spec.join.discoveryFile !== undefined || apiClientsOf(spec).length > 0
}

function credentials(spec: NodeSpec): readonly Part[] {
  const discovery = spec.join.discoveryFile !== undefined
  const clients = apiClientsOf(spec)
  const rowsOf = (kind: Credentials['kind']) =>
    clients
      .filter((client) => client.credentials.kind === kind)
      .map((client) => ({
        account: client.account,
        name: client.name,
        file: credentialFilesOf(client)[0]?.file ?? '',
        lists: client.lists,
      }))
  const rows = {
    kubeconfigs: rowsOf('kubeconfig'),
    tokens: rowsOf('tokenFile'),
    certificates: rowsOf('clientCertificate'),
  }
  const asksServer = clients.length > 0 || spec.join.method === 'bootstrapKubeconfig'
  const server = `https://${spec.join.endpoint ?? ''}`
  return [
    ...(discovery ? [part('discovery')] : []),
    ...(asksServer ? [part('kubeconfig', { discovery, server })] : []),
    ...(rows.kubeconfigs.length > 0 ? [part('kubeconfigs')] : []),
    ...(rows.tokens.length + rows.certificates.length > 0 ? [part('cluster-ca')] : []),
    ...(rows.tokens.length > 0 ? [part('tokens')] : []),
    ...(rows.certificates.length > 0 ? [part('certificates')] : []),
    ...(createsCredentials(spec)
      ? [part('credentials', { discovery, clients: clients.length > 0, ...rows })]
      : []),
  ]
}

function part(name: string, view: View = {}): Part {
  return { template: `cluster/prepare/${name}.sh.hbs`, view }
}
