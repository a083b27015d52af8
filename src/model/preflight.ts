// A check that the scripts run before the first change of a node.
import type { Phase } from './phase.ts'

/** A check before the first change; all results are reported together. */
export interface PreflightCheck {
  readonly id: string
  readonly kind: PreflightKind
  /** `any`: every phase except boot, which runs unattended and must be listed explicitly. */
  readonly phases: readonly (Phase | 'any')[]
  readonly verdict: 'fail' | 'restart' | 'warn'
  /** What the check needs, by kind. */
  readonly with: Readonly<Record<string, boolean | number | string | readonly string[]>>
}

/** What each kind of check requires. */
export const preflightKinds = {
  administrator: 'The script runs as administrator.',
  languageMode: 'PowerShell runs in FullLanguage mode.',
  windowsServer: 'The machine runs Windows Server.',
  windowsBuild: 'Windows has the build of windows.release.',
  revisionNotBetween: 'The Windows revision has no known defect.',
  revisionAtLeast: 'The Windows revision is new enough for the profile.',
  freeDisk: 'The drive has enough free space for the installation.',
  volume: 'The drive of containerd.root is a local disk with NTFS.',
  imageFolder: 'containerd.root is not changed while pods run.',
  systemDrive: 'Windows is on drive C:.',
  nodeName: 'The node name is valid in Kubernetes.',
  providerID: 'The file of kubelet.providerID contains the ID of an instance.',
  pendingRestart: 'No restart of the machine is pending.',
  pendingRename: 'No file is to be replaced or deleted at the next start of the machine.',
  clockSkew: 'The clock agrees with the clock of the API server.',
  dns: 'The name of the API server has an address.',
  apiServer: 'The API server answers.',
  cluster: 'The cluster and the bundle agree about versions, CIDRs, DNS and the CA.',
  filePresent: 'The files that are copied to the machine by hand, such as credentials, exist.',
  secureBootOff: 'Secure Boot is off.',
  physicalAdapter: 'The adapter with the address of the machine belongs to no virtual switch.',
  encryption: 'BitLocker protects the drive.',
  otherEngines: 'No other container engine and no other kubelet is installed.',
  firewallPolicy: 'Windows Firewall applies the rules of the bundle.',
} as const
export type PreflightKind = keyof typeof preflightKinds

/** By default in every phase but boot, stops the script, and needs nothing. */
export type PreflightRow = Pick<PreflightCheck, 'id' | 'kind'> & Partial<PreflightCheck>
