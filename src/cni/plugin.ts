// A network plugin: its modes on Windows, and what it adds to a node.
import type { Artifact } from '../model/artifact.ts'
import type { Credentials } from '../model/credentials.ts'
import type { Amounts, Facts } from '../model/facts.ts'
import type { group, RefusedValue } from '../model/field.ts'
import type { HealthCheck } from '../model/health.ts'
import type { Json, JsonObject } from '../model/json.ts'
import type { Need } from '../model/need.ts'
import type { Path } from '../model/path.ts'
import type { Decision, DraftStep, Part, PlannedFact, PlannedFile } from '../model/plan.ts'
import type { PreflightRow } from '../model/preflight.ts'
import type { Program } from '../model/program.ts'
import type { ProgramReleases } from '../model/program-releases.ts'
import type { Rule } from '../model/rule.ts'
import type { Settings } from '../model/setting.ts'
import type { StepFields } from '../model/step.ts'
import type { CniName, PluginSettings } from '../model/plugin-settings.ts'
import type { NetworkMode, NodeSpec } from '../model/spec.ts'
import type { DiagnosisRow } from '../model/tables.ts'

/** The Windows version may follow the name. */
export interface DaemonSetName {
  readonly namespace: string
  readonly name: string
}

export interface CniMode {
  /** The plugin's name for the mode: vxlan, host-gw. */
  readonly backend: string
  readonly hnsType: 'Overlay' | 'L2Bridge' | 'Transparent'
  /** The name of its HNS network, from its profile fields. */
  readonly networkName: (written: never) => string
  /** The name of its network, if hypervisors pass what its pods send: through tunnels of the node, or routed by it. */
  readonly passesHypervisors?: string
  /** What it asks of the nodes' network, for the choice of the mode. */
  readonly asks?: string
  /** True if it does not route pod traffic between nodes, so `network.routes` is required. */
  readonly routed?: true
  /** The virtual card that gets the address of the machine, where HNS does not name it, and the port of the plugin's agent. */
  readonly agent?: { readonly bridge: string; readonly port: number }
  /** True if no endpoint of the machine in the network is known, by which it reaches pods. */
  readonly withoutEndpoint?: true
  /** Number of addresses in a node's pod subnet that pods cannot use. */
  readonly reserved: number
  /** Other backends of the mode, for `network.backend`, and what differs with them. */
  readonly others?: Readonly<Record<string, Partial<Pick<CniMode, 'asks' | 'routed'>>>>
}

/** A setting of the plugin's configuration on Linux nodes, and the value this profile needs. */
export interface LinuxSetting {
  readonly key: Path
  readonly expected: Json
  /** The plugin's default for a missing setting; absent if a missing setting is not compared. */
  readonly byDefault?: Json
  /** For a backend type: all that Windows supports. Another one is an error; later settings belong to the expected type. */
  readonly onWindows?: readonly Json[]
  /** The profile field that decides it. */
  readonly field?: Path
}

/** The id of the step that provides each of these, for later steps. */
interface Provided {
  /** The HNS network, ready for endpoints. */
  readonly network?: string
  /** The source VIP of kube-proxy on an overlay network. */
  readonly sourceVip?: string
  /** The CNI conf; absent if the plugin's DaemonSet writes it. */
  readonly nodeConf?: string
}

/** Addresses of an owner in a folder of host-local. */
export interface Reservation {
  readonly dataDirectory: string
  readonly network: string
  /** Its owner, in the place of a container ID. */
  readonly containerId: string
}

/** How to find the plugin and its settings in a cluster with Linux nodes. */
export interface LinuxSide {
  /** The last part of its agent's image, because registries differ. */
  readonly agent?: RegExp
  /** The name of its DaemonSet, where its image has too common a name. */
  readonly daemonSet?: RegExp
  /** Its ConfigMap in its own manifests. */
  readonly configMaps: readonly { readonly namespace: string; readonly name: string }[]
  /** The key of the ConfigMap with its settings. */
  readonly key?: string
  /** The object with its settings, where that is no ConfigMap. */
  readonly object?: {
    readonly path: string
    readonly what: string
    /** Why the plugin is not supported without the object. */
    readonly missing?: RefusedValue & { readonly title: string }
  }
  /** Values for profile fields, and notes for the user. */
  readonly read: (document: JsonObject, where: string) => LinuxDetection
}

export interface LinuxDetection {
  readonly fields: readonly {
    readonly path: Path
    /** Empty values are ignored. */
    readonly value: Json | undefined
    readonly where: string
  }[]
  readonly notes: readonly string[]
  /** True if pods get their network from another plugin, and this one only applies policies. */
  readonly onlyPolicies?: true
}

/** A row of the usage of cluster/prepare.sh. */
type UsageRow = Readonly<Record<'name' | 'about', string>>

/** What a plugin adds to cluster/prepare.sh. */
export interface Preparation {
  /** The function of a command has its name, with `_` for `-`. */
  readonly commands: readonly UsageRow[]
  /** Environment variables. */
  readonly variables: readonly UsageRow[]
  readonly parts: readonly Part[]
}

/** A field of the plugin that `winnode init` asks. */
interface Question {
  readonly id: string
  /** The field that it sets: `network.flannel.vni`. */
  readonly field: string
  readonly title: string
  /** The mode that it is about. */
  readonly mode?: NetworkMode
}

/** A provider's image with containerd, the kubelet, kube-proxy and the plugin: the bundle only gives it settings. */
interface ProviderImage {
  /** Such as `EKS’s image`. */
  readonly name: string
  /** The profile fields that the bundle carries; a group for all of its fields. No other field can be set. */
  readonly carries: readonly Path[]
  /** How to apply a change to a node, as a sentence. */
  readonly replace: string
  /** How to find out why a node does not work, as a sentence. */
  readonly inspect: string
  /** All files of the bundle; `manifests` come from the fields of `cluster`. */
  readonly files: (
    facts: Facts,
    decisions: readonly Decision[],
    manifests: readonly PlannedFile[],
  ) => readonly PlannedFile[]
}

/** What a plugin does not have, it leaves out. */
export interface Cni {
  readonly id: CniName
  readonly title: string
  readonly see: string
  /** Its profile fields, below `network.<name>`. */
  readonly fields: ReturnType<typeof group>
  /** The effective settings; `endpoint` is the API server's, if the profile has it. */
  readonly settings: (written: never, endpoint: string | undefined) => PluginSettings[CniName]
  /** Its fields whose default the code decides, each with the function that does. */
  readonly decided?: Readonly<
    Record<string, (written: never, endpoint: string | undefined) => unknown>
  >
  readonly questions?: readonly Question[]
  /** What a change of each field needs on a node. */
  readonly needs?: Readonly<Record<string, Need>>
  /** Fields that older profiles had elsewhere, by their old path. */
  readonly moved?: Readonly<Record<string, string>>
  /** Fields that its steps depend on. */
  readonly stepFields?: StepFields
  /** What a change of its files needs on an existing node. */
  readonly fileNeeds?: readonly (readonly [file: RegExp, need: Need])[]
  readonly modes: Readonly<Partial<Record<NetworkMode, CniMode>>>
  /** The prefix length of a node's pod subnet, and the field that sets it; by default network.nodeCIDRMaskSize. */
  readonly nodeShare?: (
    network: NodeSpec['network'],
  ) => { readonly prefix: number; readonly field?: string } | undefined
  /**
   * How kube-proxy runs on the node, unless the plugin runs as pods; false where the plugin replaces or installs it, and
   * `asked` where only the profile can know.
   */
  readonly kubeProxy: 'service' | 'daemonSet' | 'asked' | false
  /** Credentials of its agent on the node, if it has its own. */
  readonly credentials?: (network: NodeSpec['network']) => Credentials | undefined
  /** A resource that this account can list; used to test the credentials. */
  readonly lists?: string
  /** Whether it runs as HostProcess pods. */
  readonly hostProcess: (network: NodeSpec['network']) => boolean
  /** The image of these pods where the profile names it, and the file that runs it. */
  readonly podImage?: (
    network: NodeSpec['network'],
  ) => { readonly image: string; readonly neededBy: string } | undefined
  /** What these pods request of allocatable on each node. Absent if nothing, or if the cluster decides. */
  readonly podRequests?: Pick<Amounts, 'cpu' | 'memory'>
  /** The DaemonSets of these pods, where they are known. */
  readonly daemonSets?: (network: NodeSpec['network']) => readonly DaemonSetName[]
  /** Paths on a node that it uses, in addition to `layout`. */
  readonly paths?: Readonly<Record<string, string>>
  readonly programs?: (facts: Facts) => readonly Program[]
  /** Its programs with separate versions. */
  readonly versions?: readonly ProgramReleases[]
  /** Why its services have each flag and environment variable, by service. */
  readonly flags?: Readonly<Record<string, Settings>>
  /** Diagnoses of its part of a node. */
  readonly diagnoses?: readonly DiagnosisRow[]
  readonly artifacts?: readonly Artifact[]
  readonly rules: readonly Rule[]
  /** Absent where the bundle installs the node. */
  readonly image?: ProviderImage
  /** Its section of cluster/README.md; `files` are the files of the bundle in `cluster/`. */
  readonly readme: (spec: NodeSpec, files: readonly PlannedFile[]) => readonly Part[]
  /** The reservation in host-local's folder whose address is the source VIP of kube-proxy; absent if it is an endpoint's. */
  readonly sourceVip?: (network: NodeSpec['network']) => Reservation | undefined
  /** Absent if it has no configuration on Linux nodes. */
  readonly prepare?: (spec: NodeSpec) => Preparation
  /** Its section of README.md, after the one about joining. */
  readonly joined?: (network: NodeSpec['network']) => readonly Part[]
  /** Absent if it has no agent on Linux nodes. */
  readonly linux?: LinuxSide
  /** Absent if its DaemonSet creates all of it, so that no step waits for it. */
  readonly provides?: (spec: NodeSpec) => Provided
  /** Required settings on Linux nodes, which drift compares with a cluster. */
  readonly linuxSide?: (spec: NodeSpec) => readonly LinuxSetting[]
  /** Settings that Join compares with the cluster, by their names in the PowerShell module. */
  readonly compared?: (spec: NodeSpec) => Readonly<Record<string, Json>>
  /** Steps that it adds, by their position. */
  readonly steps?: {
    readonly host?: (facts: Facts) => readonly DraftStep[]
    readonly services?: (facts: Facts) => readonly DraftStep[]
    /** Steps that run at each start before the kubelet, which Windows then does not start itself. */
    readonly beforeKubelet?: (facts: Facts) => readonly DraftStep[]
    /** Steps that run at each start, before kube-proxy. */
    readonly boot?: (facts: Facts) => readonly DraftStep[]
  }
  readonly preflight?: (facts: Facts) => readonly (PreflightRow | false)[]
  /** The page about its ports between nodes, if these settings open some in the firewall. */
  readonly ports?: (network: NodeSpec['network']) => string | undefined
  /** Health checks of a joined node for this plugin alone. */
  readonly health?: (spec: NodeSpec) => readonly HealthCheck[]
  readonly facts?: (facts: Facts) => readonly PlannedFact[]
}
