// NodeSpec: what the code uses, with every value decided.
import type { Credentials } from './credentials.ts'
import type { CniName, PluginSettings } from './plugin-settings.ts'
import type { Ignore } from './finding.ts'
import type { JsonObject } from './json.ts'
import type { ConfigVersion, WindowsId } from './rows.ts'
import type { TargetSettings } from './target-settings.ts'

export type NetworkMode = 'l2bridge' | 'overlay' | 'transparent'
export type { CniName } from './plugin-settings.ts'
export type JoinMethod = 'kubeadm' | 'bootstrapKubeconfig'
export type TaintEffect = 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute'

export interface Taint {
  readonly key: string
  readonly value: string
  readonly effect: TaintEffect
}

/** Amounts to keep from pods; each as a Kubernetes quantity. */
export interface ResourceAmounts {
  readonly cpu?: string | undefined
  readonly memory?: string | undefined
  readonly ephemeralStorage?: string | undefined
  readonly pid?: string | undefined
}

export interface RegistryMirror {
  readonly url: string
  /** PEM file on the node; before containerd 2.3 the only root that counts for this mirror. */
  readonly ca: string | undefined
  /** The path of `url` is whole: containerd puts no /v2 behind it. */
  readonly overridePath: boolean
}

/** Programs that the kubelet asks for pull secrets, and where it reads of them. */
export interface CredentialProviders {
  readonly binDirectory: string
  /** A file on the node that somebody else writes; else `providers` say what is in ours. */
  readonly config: string | undefined
  readonly providers: readonly CredentialProvider[]
}

export interface CredentialProvider {
  /** Its file name in the folder of programs. */
  readonly name: string
  readonly matchImages: readonly string[]
  readonly defaultCacheDuration: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export interface NodeSpec {
  /** Names the bundle; lower-case words joined by dashes. */
  readonly name: string
  /** What the profile is for, in one sentence. */
  readonly summary: string
  readonly windows: {
    readonly release: WindowsId
    /** Update build revision (UBR), such as 4297 of 10.0.20348.4297. */
    readonly revision: number | undefined
  }
  readonly kubernetes: {
    /** The kubelet's version. */
    readonly version: string
    readonly apiServer: string
    readonly kubeProxy: string
    readonly kubeadm: string
  }
  readonly containerd: {
    readonly version: string
    /** Version of the config.toml format. */
    readonly configVersion: ConfigVersion
    readonly crictl: string
    /** Folder of images and layers. */
    readonly root: string
  }
  readonly sandboxImage: string
  readonly network: {
    readonly mode: NetworkMode
    readonly cni: CniName
    /** The plugin's own word for the mode: vxlan, host-gw, geneve. */
    readonly backend: string
    /** Exact name of the HNS network. */
    readonly name: string
    readonly podCIDRs: readonly string[]
    /** Prefix length of one node's share of the pod CIDR. */
    readonly nodeCIDRMaskSize: number
    readonly serviceCIDRs: readonly string[]
    /** Subnets that the nodes' own addresses come from. */
    readonly nodeCIDRs: readonly string[]
    /** Networks that pods reach with their own addresses. */
    readonly untranslated: readonly string[]
    readonly clusterDNS: readonly string[]
    readonly clusterDomain: string
    readonly dsr: boolean
    readonly adapter: string | undefined
    readonly nodeIP: string | undefined
    readonly sourceVip: string | undefined
    readonly cniPlugins: string
    // Settings of each plugin below its name; only those of `cni` count.
  } & Readonly<PluginSettings>
  readonly kubelet: {
    /** The value, or a file of one line on the node that holds it. */
    readonly nodeName: string | { readonly file: string } | undefined
    readonly labels: Readonly<Record<string, string>>
    readonly taints: readonly Taint[]
    readonly maxPods: number
    readonly priorityClass: string
    readonly verbosity: number
    readonly shutdownGracePeriod: string | undefined
    readonly shutdownGracePeriodCriticalPods: string | undefined
    readonly featureGates: Readonly<Record<string, boolean>>
    /** Who approves serving certificates; set means `serverTLSBootstrap: true`. */
    readonly servingCertificateApprover: string | undefined
    readonly cloudProvider: 'external' | undefined
    /** The value, or a file of one line on the node that holds it. */
    readonly providerID: string | { readonly file: string } | undefined
    /** Folder on the node whose *.conf files are merged over the configuration. */
    readonly dropInDirectory: string | undefined
    /** Any further KubeletConfiguration field; wins over what winnode would write. */
    readonly config: JsonObject
  }
  readonly kubeProxy: {
    readonly verbosity: number
    readonly metricsBindAddress: string
    readonly featureGates: Readonly<Record<string, boolean>>
    readonly credentials: Credentials
    readonly config: JsonObject
  }
  readonly reserve: {
    readonly model: string
    readonly kube: ResourceAmounts
    readonly system: ResourceAmounts
    readonly evictionHard: Readonly<Record<string, string>>
  }
  readonly machine: {
    readonly cpu: number
    readonly memory: string
    readonly disk: string
    readonly secureBoot: boolean | undefined
  }
  readonly join: {
    readonly method: JoinMethod
    /** host:port of the API server; absent where a discovery file on the node says it. */
    readonly endpoint: string | undefined
    /** Path on the node of a kubeconfig with the endpoint and the CA. */
    readonly discoveryFile: string | undefined
    readonly caCertHashes: readonly string[]
    /** PEM of the cluster's CA; not a secret. */
    readonly ca: string | undefined
    /** Path on the node of the file that holds the bootstrap token. */
    readonly tokenFile: string | undefined
  }
  readonly services: {
    readonly logMaxSizeMiB: number
    readonly logMaxFiles: number
    readonly logMaxAgeDays: number
  }
  readonly host: {
    readonly features: readonly string[]
    readonly pageFileMiB: number | undefined
    readonly defenderExclusions: boolean
    readonly powerPlan: boolean
    readonly timeServers: readonly string[]
    readonly allowOtherEngines: boolean
    readonly proxy: { readonly url: string; readonly noProxy: readonly string[] } | undefined
    readonly firewall: {
      /** Who may reach the ports of the network plugin. */
      readonly networkFrom: readonly string[]
      /** Who may reach the kubelet on 10250. */
      readonly kubeletFrom: readonly string[]
      /** Who may ask kube-proxy for its health. */
      readonly healthFrom: readonly string[]
      readonly nodePortRange: string
      /** Who may reach node ports. */
      readonly nodePortsFrom: readonly string[]
    }
  }
  readonly registry: {
    readonly mirrors: Readonly<Record<string, readonly RegistryMirror[]>>
    readonly credentialProvider: CredentialProviders | undefined
  }
  readonly artifacts: {
    /** Base addresses by source (`kubernetes`, `github`, ...), without a slash at the end. */
    readonly baseURLs: Readonly<Record<string, string>>
    /** Pinned sha256 by artefact id. */
    readonly sha256: Readonly<Record<string, string>>
  }
  readonly isolation: { readonly hyperV: boolean }
  /** Of `--for`; nothing of it reaches the bundle. */
  readonly targets: TargetSettings
  /** By rule. */
  readonly ignore: Readonly<Record<string, Ignore>>
}
