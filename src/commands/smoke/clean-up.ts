// Removes the namespaces that interrupted smoke tests left.
import type { Ran } from '../../cluster/answer.ts'
import type { Client } from '../../cluster/client.ts'
import { type JsonObject, nameOf, textAt } from '../../model/json.ts'
import { smokeSelector } from '../../smoke/objects.ts'
import { itemsAt } from '../../workloads/manifest.ts'
import { Failure } from '../failure.ts'

export interface Leftover {
  readonly name: string
  /** The API server answers a second removal of a namespace as it does the first: `terminating` is the state before. */
  readonly outcome: 'removed' | 'terminating' | 'failed'
  readonly state: string
}

export async function removeLeftovers(client: Client): Promise<readonly Leftover[]> {
  const selector = encodeURIComponent(smokeSelector)
  const listed = await client.list(`/api/v1/namespaces?labelSelector=${selector}`)
  if (listed.kind !== 'found') throw new Failure('failure', `namespaces: ${listed.message}`)
  const left: Leftover[] = []
  for (const namespace of listed.items) left.push(await removeLeftover(client, namespace))
  return left
}

async function removeLeftover(client: Client, namespace: JsonObject): Promise<Leftover> {
  const name = nameOf(namespace)
  const since = textAt(namespace, ['metadata', 'deletionTimestamp'])
  if (since !== '') {
    const why = remainingContent(namespace)
    return { name, outcome: 'terminating', state: `Terminating since ${since}${why && `: ${why}`}` }
  }
  const ran = await removeNamespace(client, name)
  return ran.kind === 'found'
    ? { name, outcome: 'removed', state: 'is removed' }
    : { name, outcome: 'failed', state: `was not removed: ${ran.message}` }
}

/** `Some resources are remaining: pods. has 2 resource instances` */
function remainingContent(namespace: JsonObject): string {
  return itemsAt(namespace, ['status', 'conditions'])
    .filter(({ item }) => item['status'] === 'True')
    .map(({ item }) => textAt(item, ['message']))
    .join('; ')
}

/** Does not wait, because nodes take a while to stop the pods. */
export function removeNamespace(client: Client, name: string): Promise<Ran> {
  const flags = ['--ignore-not-found', '--wait=false', '--output=name']
  return client.run(['delete', 'namespaces', name, ...flags])
}
