// Reads the versions of a cluster's API server and Windows nodes, where an upgrade starts; read-only.
import type { Client } from '../../cluster/client.ts'
import { listAt } from '../../cluster/detect/values.ts'
import { windowsNodesOf } from '../../cluster/detect/windows-nodes.ts'
import { parseImage } from '../../go/image-reference.ts'
import { parseVersion } from '../../matrix/version.ts'
import { isObject, nameOf, qualifiedName, textAt, textsAt } from '../../model/json.ts'
import type { RunningCluster } from '../../upgrade/running.ts'
import { type ClusterOptions, withCluster } from '../cluster.ts'
import { Failure } from '../failure.ts'

export interface RunningFlags extends Omit<ClusterOptions, 'log'> {
  readonly selector: string | undefined
}

/** Throws a `Failure` where the versions cannot be read, or there is no Windows node. */
export function runningVersions(
  { selector, ...cluster }: RunningFlags,
  log: (line: string) => void,
): Promise<RunningCluster> {
  return withCluster({ ...cluster, log }, (client) => readRunning(client, selector))
}

async function readRunning(client: Client, selector: string | undefined): Promise<RunningCluster> {
  const server = await client.get('/version')
  if (server.kind !== 'found') throw unread('the version of the API server', server.message)
  const query = selector === undefined ? '' : `?labelSelector=${encodeURIComponent(selector)}`
  const listed = await client.list(`/api/v1/nodes${query}`)
  if (listed.kind !== 'found') throw unread('nodes', listed.message)
  const windows = windowsNodesOf({ lists: new Map([['nodes', listed.items]]) })
  const apiServer = releaseOf(textAt(server.object, ['gitVersion']))
  if (apiServer === undefined) throw unread('the version of the API server', 'it is no release')
  const machines = windows.map((node) => {
    const name = nameOf(node)
    const version = releaseOf(textAt(node, ['status', 'nodeInfo', 'kubeletVersion']))
    if (version === undefined) throw unread(`the version of node ${name}`, 'it is no release')
    return { name, version, labels: textsAt(node, ['metadata', 'labels']) }
  })
  if (machines.length === 0)
    throw new Failure(
      'usage',
      `the cluster has no Windows nodes${selector === undefined ? '' : ` with ${selector}`}`,
      ['plan without --kubeconfig and --context: the version of the profile is the start'],
    )
  return { apiServer, machines, kubeProxies: await kubeProxiesOf(client) }
}

/** By the tag of the image; empty where DaemonSets may not be listed. */
async function kubeProxiesOf(client: Client): Promise<ReadonlyMap<string, string>> {
  const listed = await client.list('/apis/apps/v1/daemonsets')
  const sets = listed.kind === 'found' ? listed.items : []
  return new Map(
    sets.flatMap((set) => {
      const os = textAt(set, ['spec', 'template', 'spec', 'nodeSelector', 'kubernetes.io/os'])
      const name = nameOf(set)
      // A node affinity can select Windows too, as in the manifests of SIG Windows.
      if (os !== 'windows' && !(os === '' && name.includes('windows'))) return []
      return listAt(set, ['spec', 'template', 'spec', 'containers']).flatMap((container) => {
        const image = parseImage(isObject(container) ? textAt(container, ['image']) : '')
        const version = releaseOf(image?.tag)
        const isProxy = image?.repository.split('/').at(-1) === 'kube-proxy'
        if (!isProxy && !name.startsWith('kube-proxy')) return []
        return version === undefined ? [] : [[qualifiedName(set), version] as const]
      })
    }),
  )
}

/** v1.34.2-eks-113cf36 is 1.34.2. */
function releaseOf(text: string | undefined): string | undefined {
  const [, version] = /^v?(\d+\.\d+\.\d+)/.exec(text ?? '') ?? []
  return version === undefined ? undefined : parseVersion(version)?.text
}

function unread(what: string, why: string): Failure {
  return new Failure('failure', `${what} could not be read: ${why}`)
}
