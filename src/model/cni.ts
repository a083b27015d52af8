// Cni: a network plugin, the modes it has on Windows, and what it brings to a node.
import type { Artifact } from './artifact.ts'
import type { Facts } from './facts.ts'
import type { PlannedFact } from './plan.ts'
import type { PreflightCheck } from './preflight.ts'
import type { Program } from './program.ts'
import type { CniName, NetworkMode } from './spec.ts'
import type { DraftStep } from './plan.ts'

export interface CniMode {
  /** The plugin's own word: vxlan, host-gw. */
  readonly backend: string
  readonly hnsType: 'Overlay' | 'L2Bridge' | 'Transparent'
  /** What the plugin calls its HNS network. */
  readonly networkName: (network: { readonly vni: number }) => string
  /** Addresses of a node's pod subnet that no pod gets. */
  readonly reserved: number
}

export interface Cni {
  readonly id: CniName
  readonly title: string
  readonly see: string
  readonly modes: Readonly<Partial<Record<NetworkMode, CniMode>>>
  /** False where the plugin replaces kube-proxy. */
  readonly kubeProxy: boolean
  /** Whether its agent on the node has credentials of its own. */
  readonly credentials: boolean
  /** Whether it runs as HostProcess pods. */
  readonly hostProcess: boolean
  readonly programs: (facts: Facts) => readonly Program[]
  readonly artifacts: readonly Artifact[]
  /** Folders, services and whatever else it needs, by the place in the order of steps. */
  readonly steps: {
    readonly host: (facts: Facts) => readonly DraftStep[]
    readonly services: (facts: Facts) => readonly DraftStep[]
    /** What runs at each start before kube-proxy. */
    readonly boot: (facts: Facts) => readonly DraftStep[]
  }
  readonly preflight: (facts: Facts) => readonly PreflightCheck[]
  readonly facts: (facts: Facts) => readonly PlannedFact[]
}
