// node.json: the desired state of the node, which WinNode.psm1 reads.
import { manifestNames } from '../model/bundle-path.ts'
import type { Plan, PlannedFact, RenderedFile } from '../model/plan.ts'
import type { Step } from '../model/step.ts'
import type { PreflightCheck } from '../model/preflight.ts'
import type { HealthCheck } from '../model/health.ts'
import { digestList, digestOf, type Digests } from './digest.ts'
import { jsonText } from './json-text.ts'
import { toPairs } from './name-value.ts'
import type { NameValue } from './name-value.ts'
import { selfDigestFile } from './self-digest.ts'

type PreflightValue = PreflightCheck['with'][string]

interface NodeDocument {
  readonly apiVersion: 'winnode/v1'
  readonly kind: 'NodeDocument'
  readonly name: string
  /** SHA-256 of what counts on a node: a change of a README or of the cluster-side manifests leaves it as it is. */
  readonly nodeDigest: string
  /** Folders of winnode on the node. */
  readonly paths: { readonly log: string; readonly state: string }
  readonly facts: readonly (Omit<PlannedFact, 'with'> & {
    readonly with?: readonly NameValue<string>[]
  })[]
  readonly preflight: readonly (Omit<PreflightCheck, 'with'> & {
    readonly with: readonly NameValue<PreflightValue>[]
  })[]
  /** Checks of a joined node. */
  readonly health: readonly (Omit<HealthCheck, 'with'> & {
    readonly with: readonly NameValue<PreflightValue>[]
  })[]
  readonly steps: readonly Step[]
  /** The reconcile loop publishes the health of the node. */
  readonly publishStatus?: true
  /** Folders with the logs of the network's pods, as patterns, for the report. */
  readonly podLogs?: readonly string[]
  /** Every other file of the bundle, to find modified and missing ones. */
  readonly files: readonly { readonly path: string; readonly sha256: string }[]
}

export function nodeFile(plan: Plan, steps: readonly Step[], digests: Digests): RenderedFile {
  const onNode = {
    paths: { log: 'C:\\var\\log\\winnode', state: 'C:\\ProgramData\\winnode' },
    facts: plan.facts.map(({ with: needs, ...fact }) =>
      needs ? { ...fact, with: toPairs(needs) } : fact,
    ),
    preflight: plan.preflight.map((check) => ({ ...check, with: toPairs(check.with) })),
    health: plan.health.map((check) => ({ ...check, with: toPairs(check.with) })),
    steps,
    ...(plan.publishStatus && { publishStatus: true as const }),
    ...(plan.podLogs.length > 0 && { podLogs: plan.podLogs }),
  }
  // The files of steps have their digest in the step.
  const scripts = digestList(digests).filter(({ path }) => isScript.test(path))
  const document: NodeDocument = {
    apiVersion: 'winnode/v1',
    kind: 'NodeDocument',
    name: plan.name,
    nodeDigest: digestOf(jsonText({ ...onNode, scripts })),
    ...onNode,
    files: digestList(digests),
  }
  return selfDigestFile(manifestNames.bundle, document)
}

/** The scripts and modules at the top of a bundle. */
const isScript = /^[^/]+\.psm?1$/
