// Reads the versions of a cluster's API server and Windows nodes, where an upgrade starts; read-only.
import type { Client } from '../../cluster/client.ts'
import { textAt } from '../../cluster/detect/values.ts'
import { windowsNodesOf } from '../../cluster/detect/windows-nodes.ts'
import { oldestFirst } from '../../matrix/standing.ts'
import { parseVersion } from '../../matrix/version.ts'
import type { Running } from '../../upgrade/running.ts'
import { withCluster } from '../cluster.ts'
import { Failure } from '../failure.ts'

export interface RunningFlags {
  readonly kubeconfig?: string | undefined
  readonly context?: string | undefined
  readonly selector?: string | undefined
  readonly yes: boolean
}

/** Throws a `Failure` where the versions cannot be read, or there is no Windows node. */
export function runningVersions(
  { kubeconfig, context, selector, yes }: RunningFlags,
  log: (line: string) => void,
): Promise<Running> {
  return withCluster({ kubeconfig, context, yes, log }, (client) => readRunning(client, selector))
}

async function readRunning(client: Client, selector: string | undefined): Promise<Running> {
  const server = await client.get('/version')
  if (server.kind !== 'found') throw unread('the version of the API server', server.message)
  const query = selector === undefined ? '' : `?labelSelector=${encodeURIComponent(selector)}`
  const listed = await client.list(`/api/v1/nodes${query}`)
  if (listed.kind !== 'found') throw unread('nodes', listed.message)
  const windows = windowsNodesOf({ lists: new Map([['nodes', listed.items]]) })
  const apiServer = releaseOf(textAt(server.object, ['gitVersion']))
  if (apiServer === undefined) throw unread('the version of the API server', 'it is no release')
  const nodes = new Map<string, string[]>()
  for (const node of windows) {
    const name = textAt(node, ['metadata', 'name']) ?? ''
    const version = releaseOf(textAt(node, ['status', 'nodeInfo', 'kubeletVersion']))
    if (version === undefined) throw unread(`the version of node ${name}`, 'it is no release')
    nodes.set(version, [...(nodes.get(version) ?? []), name])
  }
  if (nodes.size === 0)
    throw new Failure(
      'usage',
      `the cluster has no Windows nodes${selector === undefined ? '' : ` with ${selector}`}`,
      ['plan without --kubeconfig and --context: the version of the profile is the start'],
    )
  const versions = oldestFirst([...nodes.keys()])
  return { apiServer, nodes: new Map(versions.map((one) => [one, nodes.get(one) ?? []])) }
}

/** v1.34.2-eks-113cf36 is 1.34.2. */
function releaseOf(text: string | undefined): string | undefined {
  const [, version] = /^v?(\d+\.\d+\.\d+)/.exec(text ?? '') ?? []
  return version === undefined ? undefined : parseVersion(version)?.text
}

function unread(what: string, why: string): Failure {
  return new Failure('failure', `${what} could not be read: ${why}`)
}
