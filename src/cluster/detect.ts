// Detect: what a cluster says of the fields of a profile, each with where it says it.
import type { Detected, Said } from '../model/detected.ts'
import type { Json } from '../model/json.ts'
import { formatPath, parsePath, type Path } from '../model/path.ts'
import { parseProfile } from '../profile/parse.ts'
import type { Client } from './client.ts'
import type { Evidence, Row } from './detect/evidence.ts'
import { joining } from './detect/joining.ts'
import { type Network, networkOf, type Note } from './detect/network-plugin.ts'
import { networks } from './detect/networks.ts'
import { readCluster, type Seen, type Unread } from './detect/reads.ts'
import { windowsNodes } from './detect/windows-nodes.ts'

export interface Detection {
  readonly detected: readonly Detected[]
  readonly notes: readonly Note[]
  /** What could not be read, with the server's reason. */
  readonly unread: readonly Unread[]
  /** The objects themselves. */
  readonly seen: Seen
  readonly network: Network
}

const cni: Row = { path: ['network', 'cni'], says: ({ network }) => network.cni }

/** Of the plugin's document; other objects say pod CIDRs, too. */
const pluginRows = (network: Network): readonly Row[] =>
  [...network.fields.keys()].flatMap((name) => {
    const path = parsePath(name) ?? []
    return networks.some((row) => formatPath(row.path) === name)
      ? []
      : [{ path, says: () => network.fields.get(name) ?? [] }]
  })

/** Reads only; throws a `ClusterProblem` where the cluster as a whole cannot be asked. */
export async function detect(client: Client): Promise<Detection> {
  const seen = await readCluster(client)
  const network = await networkOf(client, seen)
  const evidence: Evidence = { ...seen, access: client.access, network }
  const rows = [...joining, cni, ...pluginRows(network), ...networks, ...windowsNodes]
  const answers = rows.map((row) => judged(row, evidence))
  return {
    detected: answers.flatMap(({ detected }) => detected),
    notes: [...network.notes, ...answers.flatMap(({ notes }) => notes)],
    unread: [...seen.unread, ...network.unread],
    seen,
    network,
  }
}

/** What its field would not take is told, and not proposed. */
function judged({ path, says }: Row, evidence: Evidence) {
  const said = says(evidence)
  const [best, ...others] = said.filter(({ value }) => takes(path, value))
  const notes = said
    .filter(({ value }) => !takes(path, value))
    .map(({ where }): Note => ({ message: `${formatPath(path)} cannot hold what it says`, where }))
  if (!best) return { detected: [], notes }
  const differing = others.filter(({ value }) => !same(value, best.value))
  const detected: Detected = { path, ...best, others: distinct(differing) }
  return { detected: [detected], notes }
}

function takes(path: Path, value: Json): boolean {
  const [group = '', ...steps] = path
  const inner = steps.reduceRight<Json>((below, step) => ({ [step]: below }), value)
  return parseProfile({ [group]: inner }).findings.length === 0
}

function distinct(said: readonly Said[]): readonly Said[] {
  return said.filter(
    ({ value }, index) => said.findIndex((other) => same(other.value, value)) === index,
  )
}

function same(a: Json, b: Json): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
