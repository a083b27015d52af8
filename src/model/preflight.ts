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

export const preflightKinds = [
  'administrator',
  'languageMode',
  'windowsServer',
  'windowsBuild',
  'revisionNotBetween',
  'revisionAtLeast',
  'freeDisk',
  'volume',
  'imageFolder',
  'systemDrive',
  'nodeName',
  'providerID',
  'pendingRestart',
  'pendingRename',
  'clockSkew',
  'dns',
  'apiServer',
  'cluster',
  'filePresent',
  'secureBootOff',
  'physicalAdapter',
  'encryption',
  'otherEngines',
  'firewallPolicy',
] as const
export type PreflightKind = (typeof preflightKinds)[number]
