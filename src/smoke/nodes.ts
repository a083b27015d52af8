// Selects the nodes on which the test pods run.
import type { Facts } from '../model/facts.ts'
import { isObject, type JsonObject, nameOf, textAt } from '../model/json.ts'
import { itemsAt } from '../workloads/manifest.ts'
import { tolerates } from '../matrix/tolerations.ts'
import { windowsVersion } from '../matrix/windows.ts'
import { buildLabel, blocksScheduling, osLabel } from '../workloads/scheduling.ts'

export interface Nodes {
  /** The Windows node that is tested. */
  readonly first: string
  /** Another Windows node. */
  readonly second: string | undefined
  readonly linux: string | undefined
}

/** `nodeFlag` is the value of `--node`. Returns the reason as text if no node can be tested. */
export function chooseNodes(
  nodes: readonly JsonObject[],
  facts: Facts,
  nodeFlag: string | undefined,
): Nodes | string {
  const build = windowsVersion(facts.windows)
  const withBuild = nodes.filter((node) => labelOf(node, buildLabel) === build)
  const candidates = withBuild
    .filter((node) => takesPods(node, facts))
    .map(nameOf)
    .toSorted()
  const [firstCandidate] = candidates
  const first = nodeFlag ?? firstCandidate
  if (first === undefined)
    return `no Windows node is Ready, has build ${build} and takes pods with the profile's tolerations`
  if (!withBuild.some((node) => nameOf(node) === first))
    return `${first}: no such Windows node with build ${build}`
  return {
    first,
    second: candidates.find((name) => name !== first),
    linux: nodes
      .filter((node) => labelOf(node, osLabel) === 'linux' && isReady(node))
      .toSorted((a, b) => itemsAt(a, taints).length - itemsAt(b, taints).length)
      .map(nameOf)[0],
  }
}

const taints = ['spec', 'taints']

function takesPods(node: JsonObject, { spec }: Facts): boolean {
  const tolerations = spec.kubelet.taints.map((taint) => ({ ...taint, operator: 'Equal' }))
  return (
    isReady(node) &&
    itemsAt(node, taints)
      .map(({ item }) => ({
        key: textAt(item, ['key']),
        value: textAt(item, ['value']),
        effect: textAt(item, ['effect']),
      }))
      .every((taint) => !blocksScheduling(taint) || tolerates(tolerations, taint))
  )
}

function isReady(node: JsonObject): boolean {
  return itemsAt(node, ['status', 'conditions']).some(
    ({ item }) => item['type'] === 'Ready' && item['status'] === 'True',
  )
}

function labelOf(node: JsonObject, label: string): string {
  const { metadata } = node
  return isObject(metadata) ? textAt(metadata, ['labels', label]) : ''
}
