// One piece of desired state on a node; each kind has a Test/Set pair in templates/node/module/setup/kinds.

import type { Fetched } from './fetched.ts'
import type { NodeFact } from './node-fact.ts'
import type { Phase } from './phase.ts'

interface StepBase {
  /** Stable across renders; kebab-case. */
  readonly id: string
  readonly phase: Phase
  /** Ids of steps that must run before it. */
  readonly after: readonly string[]
  /** Whether a change can require a restart of the machine. */
  readonly restart: 'never' | 'maybe'
}

/** Text, a node fact, or both: `{text: '--hostname-override=', fact: 'nodeName'}`. */
export interface Argument {
  readonly text: string
  readonly fact?: NodeFact
}

/** Sets the value at a JSON pointer (RFC 6901) of a derived file. */
export interface Derivation {
  readonly pointer: string
  readonly value: readonly Argument[]
}

export type Step = StepBase &
  (
    | { readonly kind: 'windowsFeature'; readonly name: string }
    | {
        readonly kind: 'directory'
        readonly path: string
        /** SDDL of a protected access list; absent to keep the inherited one. */
        readonly sddl?: string
        /** Contains image layers, which only containerd can delete. */
        readonly layers?: true
      }
    | {
        readonly kind: 'file'
        readonly path: string
        /** Path in the bundle, with forward slashes. */
        readonly source: string
        readonly sha256: string
      }
    | {
        /** A JSON file of the bundle in which the node sets facts; its whole text is compared. */
        readonly kind: 'derivedFile'
        readonly path: string
        readonly source: string
        readonly sha256: string
        readonly derive: readonly Derivation[]
      }
    | (Fetched & { readonly kind: 'download'; readonly path: string })
    | (Fetched & {
        /** Downloaded and verified; these members are extracted. */
        readonly kind: 'archive'
        readonly format: 'tar.gz' | 'zip'
        /** `member` is the path in the archive, `path` the file on the node. */
        readonly members: readonly { readonly member: string; readonly path: string }[]
      })
    | {
        readonly kind: 'registryValue'
        readonly key: string
        readonly name: string
        readonly type: 'DWord' | 'String' | 'ExpandString' | 'MultiString'
        readonly value: number | string | readonly string[]
      }
    | { readonly kind: 'pathEntry'; readonly path: string }
    | {
        readonly kind: 'service'
        readonly name: string
        readonly displayName: string
        readonly description: string
        /** `native` implements the service API itself; `wrapped` runs under nssm. */
        readonly scm: 'native' | 'wrapped'
        /** The nssm that runs a wrapped program. */
        readonly wrapper?: string
        /** Program first, then its arguments. */
        readonly command: readonly Argument[]
        readonly start: 'auto' | 'demand'
        readonly dependsOn: readonly string[]
        readonly environment: readonly { readonly name: string; readonly value: Argument }[]
        /** Its log files, which nssm or kube-log-runner rotates. */
        readonly log?: {
          readonly path: string
          readonly maxSizeMiB: number
          readonly maxFiles: number
        }
        /** Delays before each restart, in milliseconds; the last repeats. */
        readonly restartDelays: readonly number[]
        /** Seconds without a failure after which the failure count is reset. */
        readonly resetAfter: number
      }
    | {
        readonly kind: 'serviceRunning'
        readonly name: string
        readonly timeout: number
        /** Status files that it writes; deleted before each start, because they are outdated. */
        readonly clears?: readonly string[]
        /** The HNS network that it looks up only at start: it is restarted if the network was recreated. */
        readonly network?: string
        /** Files that it reads only at start: it is restarted if they were replaced. */
        readonly reads?: readonly string[]
        /** HNS policy lists that it creates: it is restarted if none exist. */
        readonly policyLists?: true
      }
    | { readonly kind: 'serviceStart'; readonly name: string; readonly start: 'auto' | 'demand' }
    | {
        readonly kind: 'firewallRule'
        /** Name of the rule, which identifies it. */
        readonly name: string
        readonly displayName: string
        readonly group: string
        readonly protocol: 'TCP' | 'UDP'
        readonly ports: string
        /** CIDRs; empty for any. */
        readonly from: readonly string[]
      }
    | {
        /** A program whose opened files are not scanned, or a folder that is not scanned. */
        readonly kind: 'defenderExclusion'
        readonly of: 'process' | 'folder'
        readonly path: string
      }
    | { readonly kind: 'pageFile'; readonly path: string; readonly sizeMiB: number }
    /** A route that is recorded if present, and restored if it disappeared. */
    | { readonly kind: 'route'; readonly prefix: string }
    /** The dynamic TCP ports, which Windows gives to connections and HNS to load balancers: `34000-65535`. */
    | { readonly kind: 'dynamicPorts'; readonly ports: string }
    /** Reserved ports, which Windows assigns only to programs that request them: `65330` or `30000-32767`. */
    | {
        readonly kind: 'excludedPorts'
        readonly protocol: 'TCP' | 'UDP'
        readonly ports: string
      }
    | {
        /** The setting `exclude-nics` in tools.conf of VMware Tools. */
        readonly kind: 'vmwareTools'
        readonly path: string
        readonly excludeNics: string
      }
    | { readonly kind: 'systemVolume'; readonly drive: string }
    | { readonly kind: 'powerPlan'; readonly guid: string }
    | { readonly kind: 'timeService'; readonly servers: readonly string[] }
    | { readonly kind: 'bootSetting'; readonly name: string; readonly value: string }
    | {
        /** A task that runs the phase `boot` as SYSTEM at start-up, from a copy of the bundle. */
        readonly kind: 'bootTask'
        readonly name: string
        readonly description: string
        /** Folder on the node that holds the copy. */
        readonly path: string
      }
    | {
        readonly kind: 'logRotation'
        readonly path: string
        readonly maxSizeMiB: number
        readonly maxFiles: number
      }
    | {
        /** A network that the plugin or the node creates, and the last file that the plugin writes; Reset removes it. */
        readonly kind: 'hnsNetwork'
        readonly name: string
        readonly type: 'Overlay' | 'L2Bridge' | 'Transparent'
        /** The service that creates it, only at its start. */
        readonly service?: string
        /**
         * Microsoft's hns.psm1 on the node, with which the node creates the network itself: a bridge of its podCIDR, with
         * the host endpoint NAME_ep at the second address.
         */
        readonly hnsModule?: string
        readonly subnetFile?: string
        readonly timeout: number
      }
    /** The Remote Access router, in which a network plugin configures BGP, and its service. */
    | { readonly kind: 'remoteAccess'; readonly vpnType: 'RoutingOnly' }
    | {
        /** A file that the plugin's DaemonSet writes at its start; Reset removes it. */
        readonly kind: 'pluginFile'
        readonly path: string
        /** True if a file from before the last boot is removed. */
        readonly eachBoot: boolean
      }
    | {
        /** The HNS network that the plugin's DaemonSet creates, and an address that it reserves there; Reset removes both. */
        readonly kind: 'pluginNetwork'
        readonly network: string
        /** With it, the address is the source VIP of kube-proxy. */
        readonly fact?: 'sourceVip'
        readonly dataDirectory: string
        readonly containerId: string
      }
    | {
        /**
         * The HNS network with Open vSwitch that the plugin's pod creates. What the last boot has left of it is removed
         * before the kubelet starts; Reset removes it, and the driver.
         */
        readonly kind: 'openVSwitch'
        readonly network: string
        /** Open vSwitch's folder on the node. */
        readonly folder: string
        /** The CNI configuration, which goes with what the last boot has left. */
        readonly conf: string
        /** Patterns of the names of its address translations, and of its firewall rules. */
        readonly nats: string
        readonly rules: string
        /** True if Reset removes the certificate of the driver. */
        readonly testSigned: boolean
      }
    | {
        /** A network without pods, so that HNS creates the virtual switch before the network plugin starts. */
        readonly kind: 'externalNetwork'
        readonly name: string
        readonly type: 'Overlay' | 'L2Bridge'
        readonly subnet: string
        readonly gateway: string
        /** The VXLAN network identifier of an overlay. */
        readonly vsid?: number
        /** Microsoft's hns.psm1 on the node. */
        readonly module: string
      }
    | {
        /** An address of the node's pod subnet that the plugin must not assign: the given one, or any. */
        readonly kind: 'addressReservation'
        readonly network: string
        readonly fact: 'sourceVip'
        readonly address?: string
        readonly hostLocal: string
        readonly dataDirectory: string
        readonly containerId: string
      }
    | {
        /** The address at an offset of the pod subnet, reserved for the host endpoint. */
        readonly kind: 'hostEndpoint'
        readonly network: string
        readonly dataDirectory: string
        readonly offset: number
        readonly containerId: string
      }
    | { readonly kind: 'imagePull'; readonly image: string; readonly crictl: string }
    | {
        readonly kind: 'kubeadmJoin'
        readonly kubeadm: string
        /** JSON base of the JoinConfiguration in the bundle. */
        readonly source: string
        readonly sha256: string
        readonly derive: readonly Derivation[]
        /** JSON pointer to the token in it. */
        readonly tokenPointer: string
        /** Path of the file while kubeadm runs. */
        readonly path: string
        readonly kubeconfig: string
        readonly bootstrapKubeconfig: string
        readonly certificates: string
        readonly tokenFile?: string
        readonly discoveryFile?: string
      }
    | {
        readonly kind: 'bootstrapJoin'
        readonly kubeconfig: string
        readonly bootstrapKubeconfig: string
        readonly certificates: string
        readonly ca: string
      }
  )

export type StepKind = Step['kind']

/**
 * Profile fields that decide a step or its parts, by step id. An id with a trailing dash is a prefix of step ids.
 */
export type StepFields = Readonly<Record<string, string | Readonly<Record<string, string>>>>
