// The planned files and steps of a bundle, before they are rendered to text.
import type { Json, JsonObject } from './json.ts'
import type { Path } from './path.ts'
import type { Phase } from './phase.ts'
import type { Derivation, Step } from './step.ts'
import type { NodeFact } from './node-fact.ts'
import type { PreflightCheck } from './preflight.ts'
import type { HealthCheck } from './health.ts'
import type { Settings } from './setting.ts'

/** Flat: scalars, and lists of flat objects, so a template reads at most one level below `this`. */
export type Scalar = string | number | boolean
export type View = { readonly [key: string]: Scalar | readonly Readonly<Record<string, Scalar>>[] }

export interface Part {
  readonly template: string
  readonly view: View
}

export interface TomlBody {
  readonly kind: 'toml'
  readonly value: JsonObject
  /** Comment at the top of the file. */
  readonly head: string
  /** Comments above a key or a table, by its path; `*` stands for any key. */
  readonly comments?: readonly { readonly at: readonly string[]; readonly text: string }[]
  /** Names that need quotes get single ones. */
  readonly literalNames?: boolean
}

export type Body =
  /** `template` is a path below `templates/`, such as `crictl/crictl.yaml.hbs`. */
  | ({ readonly kind: 'template' } & Part)
  /** Several templates, one below the other with an empty line between: a page whose parts depend on the profile. */
  | { readonly kind: 'page'; readonly parts: readonly Part[] }
  | { readonly kind: 'json'; readonly value: Json }
  | TomlBody
  /** Verbatim text; a missing final newline is added. */
  | { readonly kind: 'text'; readonly text: string }
  /** Copied byte for byte from `templates/`. */
  | { readonly kind: 'static'; readonly source: string }

export interface PlannedFile {
  readonly id: string
  /** Path in the bundle, with forward slashes. */
  readonly path: string
  /** The purpose of the file, in one sentence. */
  readonly summary: string
  readonly body: Body
  /** The purpose of each key; absent for prose, scripts and files copied from a profile. */
  readonly settings?: Settings
  /** Field of the profile whose keys are merged into the file. */
  readonly merges?: Path
  /** Its path on the node; absent if the file is not installed. */
  readonly install?: {
    readonly path: string
    readonly phase: Phase
    readonly after?: readonly string[]
    /** Facts that the node sets in it; the body is JSON then. */
    readonly derive?: readonly Derivation[]
  }
}

/** A step without the digest of its file, because the file is not rendered yet. */
export type DraftStep = Step extends infer S
  ? S extends { readonly sha256: string }
    ? Omit<S, 'sha256'>
    : S
  : never

/** A value that winnode chose or took from the profile, with the reason. */
export interface Decision {
  readonly subject: string
  readonly value: string
  readonly reason: string
}

/** A download or an image, for the bill of materials. */
export interface BillItem {
  readonly id: string
  readonly kind: 'download' | 'image'
  readonly name: string
  readonly version: string
  readonly url: string
  /** Checksum that is known before the download. */
  readonly digest: string | undefined
  /** Otherwise the URL where the publisher provides it. */
  readonly digestFrom: string | undefined
  /** An SPDX identifier, a LicenseRef, or NOASSERTION. */
  readonly licence: string
  /** Ids of the steps or files that need it. */
  readonly neededBy: readonly string[]
}

/** A node fact that this bundle uses, and the override of the profile. */
export interface PlannedFact {
  readonly name: NodeFact
  readonly override?: string
  /** Input for its detection, such as the network whose subnet it is. */
  readonly with?: Readonly<Record<string, string>>
}

export interface Plan {
  readonly name: string
  readonly decisions: readonly Decision[]
  readonly files: readonly PlannedFile[]
  readonly facts: readonly PlannedFact[]
  readonly preflight: readonly PreflightCheck[]
  readonly health: readonly HealthCheck[]
  readonly steps: readonly DraftStep[]
  /** Whether the reconcile loop publishes the health of the node. */
  readonly publishStatus: boolean
  /** Folders with the logs of the network's pods, as patterns. */
  readonly podLogs: readonly string[]
  readonly bill: readonly BillItem[]
}

export interface RenderedFile {
  readonly path: string
  readonly content: Uint8Array
}

type Brief<S> = S extends DraftStep
  ? Omit<S, 'phase' | 'after' | 'restart'> & Partial<Pick<S, 'after' | 'restart'>>
  : never

/** An opening of the Windows firewall, before it is a step. `from` has CIDRs; empty for any. */
export interface Opening {
  readonly id: string
  /** The name of the rule in Windows; by default `winnode-ID`. */
  readonly name?: string
  readonly what: string
  readonly protocol: 'TCP' | 'UDP'
  readonly ports: string
  readonly from: readonly string[]
}

export function firewallRule(opening: Opening): Brief<DraftStep> {
  const { id, name = `winnode-${id}`, what, protocol, ports, from } = opening
  return {
    kind: 'firewallRule',
    id: `firewall-${id}`,
    name,
    displayName: `winnode: ${what}`,
    group: 'winnode',
    protocol,
    ports,
    from,
  }
}

/** Steps of one phase, by default without dependencies and without a restart; `false` is none. */
export function inPhase(
  phase: Phase,
  steps: readonly (Brief<DraftStep> | false)[],
): readonly DraftStep[] {
  return steps
    .filter((step) => step !== false)
    .map((step) => ({ after: [], restart: 'never', ...step, phase }))
}
