// The shapes of the rows of `matrix`: what we know, each with where it was read and when.

/** Where a row was read. `refs` are ids of the sources, `see` an address a person can open. */
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

export interface WindowsRelease extends Sourced {
  readonly id: string
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
  readonly knownBadRevisions: readonly {
    readonly from: number
    readonly below: number
    readonly effect: string
    readonly fix: string
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

export interface ContainerdLine extends Sourced {
  /** Such as 2.3. */
  readonly line: string
  readonly released: string
  readonly endOfLife: string
  readonly status: 'lts' | 'lts-limited' | 'active' | 'end-of-life'
  readonly newestPatch: string
  readonly maxConfigVersion: number
  readonly note?: string
}

export interface SandboxTag extends Sourced {
  readonly tag: string
  /** Windows builds with an entry of their own in the image index. */
  readonly builds: readonly number[]
}

export interface Defect extends Sourced, Ranged {
  readonly id: string
  readonly component: 'kubelet' | 'kube-proxy' | 'containerd'
  readonly severity: 'error' | 'warning' | 'info'
  readonly effect: string
  readonly fixedIn: readonly string[]
  /** Only on these Windows builds. */
  readonly builds?: readonly number[]
  /** Only with this mode of the HNS network. */
  readonly mode?: 'l2bridge' | 'overlay'
}

export interface Advisory extends Sourced {
  readonly id: string
  readonly component: string
  readonly severity: 'critical' | 'high' | 'medium' | 'low'
  readonly applies: 'yes' | 'conditional' | 'unverified'
  readonly condition?: string
  /** node-semver range of affected versions. */
  readonly affected: string
  readonly fixedIn: readonly string[]
  readonly summary: string
}

/** One field of a component's configuration file, at a dotted path; `[]` is a list item. */
export interface ConfigField {
  readonly type: string
  /** First minor that has it; absent where it is older than the tables. */
  readonly added?: string
  readonly removed?: string
  readonly linuxOnly?: true
  readonly values?: readonly string[]
}

export interface CommandFlag {
  /** First and last minor that accept it; absent where open. */
  readonly added?: string
  readonly removed?: string
  readonly deprecated?: string
  /** Since when the configuration file has a field for it. */
  readonly field?: string
}

export interface GateStage {
  readonly from: string
  readonly to: string
  readonly stage: 'Alpha' | 'Beta' | 'GA' | 'Deprecated'
  readonly default: boolean
  readonly locked: boolean
}

/** One behaviour that changed in some version. */
export interface Trait extends Sourced, Ranged {
  readonly of: 'kubelet' | 'kube-proxy' | 'kubeadm' | 'containerd'
  readonly summary: string
}

/** A file that the node fetches, and the checksum that its publisher gives. */
export interface ArtifactSource extends Sourced {
  readonly id: string
  readonly summary: string
  /** Which base address it hangs below, replaceable in a profile. */
  readonly base: string
  /** Below the base; `{version}` is the version without a leading v. */
  readonly path: string
  readonly checksum:
    | { readonly kind: 'none' }
    /** Beside the file: the path with this suffix. */
    | { readonly kind: 'suffix'; readonly suffix: string; readonly shape: ChecksumShape }
    /** One file for the whole release. */
    | { readonly kind: 'release'; readonly path: string; readonly shape: ChecksumShape }
    /** No publisher's checksum; a digest known from elsewhere. */
    | { readonly kind: 'known'; readonly version: string; readonly sha256: string }
  readonly licence: string
}

/** `bare`: one digest and nothing else; `named`: lines of digest and file name. */
export type ChecksumShape = 'bare' | 'named'
