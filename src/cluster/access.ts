// Access: what a context of a kubeconfig comes to: which server, trusted how, asked as whom.
//
// https://github.com/kubernetes/client-go/blob/master/tools/clientcmd/client_config.go
import { nearest } from '../model/nearest.ts'
import { complaintsOfCluster, complaintsOfUser } from './kubeconfig/check.ts'
import type { Cluster, Context, Entry, Kubeconfig, User } from './kubeconfig/entries.ts'
import { quoted } from './kubeconfig/read.ts'
import { dataOf } from './pem-file.ts'
import { ClusterProblem } from './problem.ts'

export interface Access {
  readonly context: string
  /** Which cluster of which file, for people. */
  readonly where: string
  /** Without credentials, query and slash at the end. */
  readonly server: URL
  /** `tls-server-name`: what the certificate must be for, where that is not the host. */
  readonly tlsServerName: string | undefined
  readonly insecure: boolean
  /** PEM; absent means the roots of the system. */
  readonly ca: string | undefined
  /** Absent means what the environment says. */
  readonly proxy: URL | undefined
  readonly cluster: Cluster
  /** Empty over http: client-go sends nothing secret there, `IsConfigTransportTLS`. */
  readonly user: User | undefined
}

/** `named` is `--context`. */
export function accessOf(kubeconfig: Kubeconfig, named: string | undefined): Access {
  const { name, context } = contextOf(kubeconfig, named)
  const cluster = kubeconfig.clusters.get(context.value.cluster)
  if (!cluster)
    throw problem(context, `context ${quoted(name)} names ${missing('cluster', context.value)}`)
  // As in client-go, a user that is not there is nobody.
  const user = kubeconfig.users.get(context.value.user)
  refuse(cluster, `cluster ${quoted(context.value.cluster)}`, complaintsOfCluster(cluster.value))
  if (user) refuse(user, `user ${quoted(context.value.user)}`, complaintsOfUser(user.value))
  const server = serverOf(cluster)
  return {
    context: name,
    where: `kubeconfig ${cluster.file}, cluster ${quoted(context.value.cluster)}`,
    server,
    tlsServerName: cluster.value.tlsServerName || undefined,
    insecure: cluster.value.insecure,
    ca: dataOf(cluster.value.ca, 'certificate-authority')?.toString(),
    proxy: cluster.value.proxyURL === '' ? undefined : proxyOf(cluster),
    cluster: cluster.value,
    user: server.protocol === 'https:' ? user?.value : undefined,
  }
}

function contextOf(
  { contexts, currentContext }: Kubeconfig,
  named: string | undefined,
): { readonly name: string; readonly context: Entry<Context> } {
  const name = named ?? currentContext
  const context = contexts.get(name)
  if (context) return { name, context }
  const names = [...contexts.keys()]
  if (name === '')
    throw new ClusterProblem('kubeconfig', 'the kubeconfig has no current-context', choices(names))
  const meant = nearest(name, names)
  throw new ClusterProblem(
    'kubeconfig',
    `the kubeconfig has no context ${quoted(name)}`,
    meant === undefined ? choices(names) : [`did you mean ${quoted(meant)}?`],
  )
}

function choices(names: readonly string[]): readonly string[] {
  if (names.length === 0) return ['it has no contexts at all']
  return [`choose one with --context: ${names.map(quoted).join(', ')}`]
}

function missing(kind: 'cluster', context: Context): string {
  return context[kind] === ''
    ? `no ${kind}`
    : `${kind} ${quoted(context[kind])}, which is not there`
}

function refuse(entry: Entry<unknown>, what: string, complaints: readonly string[]): void {
  if (complaints.length > 0) throw problem(entry, `${what} ${complaints.join('; it ')}`)
}

function problem({ file }: Entry<unknown>, message: string): ClusterProblem {
  return new ClusterProblem('kubeconfig', `${file}: ${message}`)
}

/** Without a scheme it is http, and nothing secret goes there: `DefaultServerURL`, url_utils.go. */
function serverOf(cluster: Entry<Cluster>): URL {
  const { server } = cluster.value
  const text = /^https?:\/\//i.test(server) ? server : `http://${server}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url) throw problem(cluster, 'server is no address such as https://api.example.com:6443')
  if (url.username + url.password !== '')
    throw problem(cluster, 'server holds a name or a password; they belong to a user')
  url.search = ''
  url.hash = ''
  url.pathname = url.pathname.replace(/\/+$/, '')
  return url
}

function proxyOf(cluster: Entry<Cluster>): URL {
  const { proxyURL } = cluster.value
  if (!URL.canParse(proxyURL)) throw problem(cluster, 'proxy-url is no address')
  return new URL(proxyURL)
}
