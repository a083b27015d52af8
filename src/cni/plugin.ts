// Cni: a network plugin, the modes it has on Windows, and what it brings to a node.
import type { Artifact } from '../model/artifact.ts'
import type { Credentials } from '../model/credentials.ts'
import type { Facts } from '../model/facts.ts'
import type { group } from '../model/field.ts'
import type { Json, JsonObject } from '../model/json.ts'
import type { Need } from '../model/need.ts'
import type { Path } from '../model/path.ts'
import type { DraftStep, Part, PlannedFact, PlannedFile } from '../model/plan.ts'
import type { PreflightCheck } from '../model/preflight.ts'
import type { Program } from '../model/program.ts'
import type { Released } from '../model/released.ts'
import type { Rule } from '../model/rule.ts'
import type { Settings } from '../model/setting.ts'
import type { StepFields } from '../model/step.ts'
import type { Diagnosis } from '../report/diagnosis.ts'
import type { CniName, PluginSettings } from '../model/plugin-settings.ts'
import type { NetworkMode, NodeSpec } from '../model/spec.ts'

export interface CniMode {
  /** The plugin's own word: vxlan, host-gw. */
  readonly backend: string
  readonly hnsType: 'Overlay' | 'L2Bridge' | 'Transparent'
  /** What the plugin calls its HNS network, by its own fields as a profile says them. */
  readonly networkName: (written: never) => string
  /** True where it does not route pods between nodes: `network.routes` says what does. */
  readonly routed?: true
  /** Addresses of a node's pod subnet that no pod gets. */
  readonly reserved: number
}

/** A setting of the document that the plugin's Linux side reads, and what this profile needs there. */
export interface LinuxSetting {
  readonly key: Path
  readonly expected: Json
  /** What the plugin takes where the document says nothing; without it there is nothing to compare then. */
  readonly byDefault?: Json
  /** For a kind: all that Windows nodes can have. Another one is an error; the settings after it belong to the expected kind. */
  readonly onWindows?: readonly Json[]
  /** The field of the profile that decides it. */
  readonly field?: Path
}

/** The id of the step that makes each of these, for what comes after it. */
export interface Provided {
  /** The HNS network, ready for endpoints. */
  readonly network?: string
  /** The address that kube-proxy sends from on an overlay network. */
  readonly sourceVip?: string
  /** The file by which containerd finds the plugin; absent where its DaemonSet writes it. */
  readonly nodeConf?: string
}

/** Where the plugin runs on Linux nodes, and where it keeps its settings. */
export interface LinuxSide {
  /** The last part of its agent's image, because registries differ. */
  readonly agent: RegExp
  /** Where its own manifests put its ConfigMap. */
  readonly configMaps: readonly { readonly namespace: string; readonly name: string }[]
  /** The key of the ConfigMap with its settings. */
  readonly key: string
  /** What the settings say of a profile's fields, and what a person must know of them. */
  readonly read: (document: JsonObject, where: string) => LinuxSays
}

export interface LinuxSays {
  readonly fields: readonly {
    readonly path: Path
    /** Empty values are ignored. */
    readonly value: Json | undefined
    readonly where: string
  }[]
  readonly notes: readonly string[]
}

/** A field of the plugin that `winnode init` asks where it matters. */
export interface Question {
  readonly id: string
  readonly path: readonly string[]
  readonly title: string
}

export interface Cni {
  readonly id: CniName
  readonly title: string
  readonly see: string
  /** Its fields of a profile, below `network` and its name. */
  readonly fields: ReturnType<typeof group>
  /** What these come to. */
  readonly settings: (written: never) => PluginSettings[CniName]
  readonly questions: readonly Question[]
  /** What a change of its fields needs of a node, by their names. */
  readonly needs: Readonly<Record<string, Need>>
  /** Which of its fields stood elsewhere in older profiles, by the path of then. */
  readonly moved: Readonly<Record<string, string>>
  /** Fields that decide its steps. */
  readonly stepFields: StepFields
  /** What a change of its files needs of a node that is there already. */
  readonly fileNeeds: readonly (readonly [file: RegExp, need: Need])[]
  readonly modes: Readonly<Partial<Record<NetworkMode, CniMode>>>
  /** False where the plugin replaces kube-proxy. */
  readonly kubeProxy: boolean
  /** Of its agent on the node, where that has some of its own. */
  readonly credentials: (network: NodeSpec['network']) => Credentials | undefined
  /** What that account may list: credentials with which it cannot are of no use. */
  readonly lists?: string
  /** Whether it runs as HostProcess pods. */
  readonly hostProcess: boolean
  /** Where it puts things on a node, beside `layout`. */
  readonly paths: Readonly<Record<string, string>>
  readonly programs: (facts: Facts) => readonly Program[]
  /** Its programs that have versions of their own. */
  readonly versions: readonly Released[]
  /** What the flags and variables of its services are for, by service. */
  readonly flags: Readonly<Record<string, Settings>>
  /** What can be wrong with its part of a node. */
  readonly diagnoses: readonly Diagnosis[]
  readonly artifacts: readonly Artifact[]
  readonly rules: readonly Rule[]
  /** Its part of cluster/README.md; `files` are those of the bundle that lie below `cluster/`. */
  readonly readme: (spec: NodeSpec, files: readonly PlannedFile[]) => readonly Part[]
  /** Its part of README.md, after how a node joins. */
  readonly joined: readonly Part[]
  /** Absent where it has no agent on Linux nodes. */
  readonly linux?: LinuxSide
  readonly provides: (spec: NodeSpec) => Provided
  /** What the Linux side must say, which drift compares with a cluster. */
  readonly linuxSide: (spec: NodeSpec) => readonly LinuxSetting[]
  /** What of it Join compares with the cluster, by the names that the module has for it. */
  readonly compared: (spec: NodeSpec) => Readonly<Record<string, Json>>
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
