// The shapes of the rows of `matrix`: what we know, each with where it was read and when.

/** Where a row was read: an address that a person can open. */
export interface Sourced {
  readonly see: string
  /** The day the row was last compared with its source, YYYY-MM-DD. */
  readonly checked: string
}

/** In force for versions in `range`. */
export interface Ranged {
  /** node-semver, partial bounds, evaluated with prereleases included. */
  readonly range: string
}

/** What an update of Windows brought. */
export interface SinceRevision {
  readonly revision: number
  readonly update: string
  readonly see: string
}

/** Oldest build first. */
export const windowsIds = [
  'ws2016',
  'ws1709',
  'ws1803',
  'ws2019',
  'ws1809sac',
  'ws1903',
  'ws1909',
  'ws2004',
  'ws20h2',
  'ws2022',
  'ws23h2',
  'ws2025',
] as const
export type WindowsId = (typeof windowsIds)[number]

export interface WindowsRelease extends Sourced {
  readonly id: WindowsId
  readonly name: string
  readonly channel: 'LTSC' | 'SAC' | 'AC'
  readonly build: number
  readonly released: string
  readonly mainstreamEnd: string
  readonly extendedEnd: string
  /** What Kubernetes says of it as a node, by kubelet version; the first row in range counts. */
  readonly kubernetes: readonly (Ranged & {
    readonly status: 'supported' | 'unlisted' | 'unsupported'
    readonly why?: string
  })[]
  /** Suffix of its base images, such as ltsc2022; absent where none is published. */
  readonly imageTag?: string
  /** The first revision with a working overlay network; absent where every one has it. */
  readonly overlay?: SinceRevision
  /** The first revision with direct server return; absent where every one has it. */
  readonly dsr?: SinceRevision
  /** Why kube-proxy may not forward health checks of load balancers; absent where it may. */
  readonly noHealthCheckVip?: { readonly why: string; readonly see: string }
  readonly knownBadRevisions: readonly {
    readonly from: number
    readonly below: number
    readonly effect: string
    readonly fix: string
    readonly see: string
    /** Shows for certain with this mode of the HNS network; absent for every mode. */
    readonly mode?: 'l2bridge' | 'overlay'
  }[]
}

export interface KubernetesMinor extends Sourced {
  /** Such as 1.37. */
  readonly minor: string
  readonly released: string
  readonly maintenance: string
  readonly endOfLife: string
  /** The highest patch named in any source: a lower bound. */
  readonly newestPatch: string
  /** containerd versions that upstream tested with it. */
  readonly containerd: string
  /** Tag of the sandbox image that kubeadm of this minor asks for. */
  readonly sandboxTag: string
  /** Says what in the row is inferred rather than read. */
  readonly note?: string
}

/** Formats of config.toml, oldest first. */
export const configVersions = [2, 3, 4] as const
export type ConfigVersion = (typeof configVersions)[number]

export interface ContainerdLine extends Sourced {
  /** Such as 2.3. */
  readonly line: string
  readonly released: string
  readonly endOfLife: string
  readonly status: 'lts' | 'lts-limited' | 'active' | 'end-of-life'
  readonly newestPatch: string
  readonly maxConfigVersion: ConfigVersion
  readonly note?: string
}

/** A place that publishes sandbox images with Windows content. */
export interface SandboxRepository extends Sourced {
  readonly registry: string
  readonly repository: string
  /** Whether its Windows program carries an Authenticode signature. */
  readonly signed: boolean
  readonly tags: readonly SandboxTag[]
  /** Says what in the row is inferred rather than read. */
  readonly note?: string
}

export interface SandboxTag {
  readonly tag: string
  /** Windows builds with an entry of their own in the image index, oldest first. */
  readonly builds: readonly number[]
}

/** How far the minors of two components may lie apart. */
export interface SkewRule extends Sourced {
  readonly id: string
  readonly of: 'kubelet' | 'kube-proxy'
  readonly to: 'kube-apiserver' | 'kubeadm' | 'kubelet'
  readonly maxNewer: number
  readonly maxOlder: number
  /** Smaller bounds for versions of `of` in this range. */
  readonly except?: Ranged & { readonly maxNewer: number; readonly maxOlder: number }
}

/** What a kubelet in `range` asks of the runtime, whatever upstream tested. */
export interface RuntimeRequirement extends Sourced, Ranged {
  readonly id: string
  readonly containerd: string
  readonly severity: 'error' | 'warning'
  readonly why: string
}

/** The newest release that is known of a program which Kubernetes does not version. */
export interface ToolRelease extends Sourced {
  readonly version: string
  /** The newest that a source names, where it cannot be the one that a profile gets. */
  readonly newest?: string
}
