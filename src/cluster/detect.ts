// Detects values for fields of a profile in a cluster, each with the object that has it.
import type { Detected, DetectedValue } from '../model/detected.ts'
import { isSameJson, type Json } from '../model/json.ts'
import { formatPath, parsePath, type Path } from '../model/path.ts'
import { parseProfile } from '../profile/parse.ts'
import type { Client } from './client.ts'
import type { Evidence, Row } from './detect/evidence.ts'
import { join } from './detect/join.ts'
import { type Network, networkOf, type Note } from './detect/network-plugin.ts'
import { networks } from './detect/networks.ts'
import { readCluster, type Observed, type Unread } from './detect/cluster-objects.ts'
import { windowsNodes } from './detect/windows-nodes.ts'

export interface Detection {
  readonly detected: readonly Detected[]
  readonly notes: readonly Note[]
  readonly unread: readonly Unread[]
  readonly seen: Observed
  readonly network: Network
}

const cni: Row = { path: ['network', 'cni'], valuesIn: ({ network }) => network.cni }

/** Rows for the fields of the plugin's document; pod CIDRs have a separate row. */
const pluginRows = (network: Network): readonly Row[] =>
  [...network.fields.keys()].flatMap((name) => {
    const path = parsePath(name) ?? []
    return networks.some((row) => formatPath(row.path) === name)
      ? []
      : [{ path, valuesIn: () => network.fields.get(name) ?? [] }]
  })

/** Read-only; throws a `ClusterError` where the cluster cannot be read at all. */
export async function detect(client: Client): Promise<Detection> {
  const seen = await readCluster(client)
  const network = await networkOf(client, seen)
  const evidence: Evidence = { ...seen, access: client.access, network }
  const rows = [...join, cni, ...pluginRows(network), ...networks, ...windowsNodes]
  const answers = rows.map((row) => detectField(row, evidence))
  return {
    detected: answers.flatMap(({ detected }) => detected),
    notes: [...network.notes, ...answers.flatMap(({ notes }) => notes)],
    unread: [...seen.unread, ...network.unread],
    seen,
    network,
  }
}

/** A value that the field would refuse becomes a note. */
function detectField({ path, valuesIn }: Row, evidence: Evidence) {
  const values = valuesIn(evidence)
  const [best, ...others] = values.filter(({ value }) => isAccepted(path, value))
  const notes = values
    .filter(({ value }) => !isAccepted(path, value))
    .map(({ where }): Note => ({ message: `not a valid value of ${formatPath(path)}`, where }))
  if (!best) return { detected: [], notes }
  const differing = others.filter(({ value }) => !isSameJson(value, best.value))
  const detected: Detected = { path, ...best, others: distinct(differing) }
  return { detected: [detected], notes }
}

function isAccepted(path: Path, value: Json): boolean {
  const [group = '', ...steps] = path
  const inner = steps.reduceRight<Json>((below, step) => ({ [step]: below }), value)
  return parseProfile({ [group]: inner }).findings.length === 0
}

function distinct(values: readonly DetectedValue[]): readonly DetectedValue[] {
  return values.filter(
    ({ value }, index) => values.findIndex((other) => isSameJson(other.value, value)) === index,
  )
}
